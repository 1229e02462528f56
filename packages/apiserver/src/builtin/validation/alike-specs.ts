/**
 * Specs of pods that say the same: the pods of one template differ in the name of the volume with their token alone. What was found
 * out about one of them holds for all; the checks and warnings of pods ask here before they look.
 */
import type { PodSpec } from "@kubewright/api/core/v1";
import { stringifyJson } from "@kubewright/core/meta";

const SPECS_MAX = 100;
const TEXT_LENGTH_MAX = 16_384;
/** Every such name is as good as any other. */
const TOKEN_VOLUME = /^kube-api-access-[a-z0-9]{5}$/;

const byText = new Map<string, PodSpec>();
const known = new WeakMap<PodSpec, PodSpec>();

/** The first spec that said the same; the spec itself when none did, or it is not remembered. */
export function alikeSpec(spec: PodSpec): PodSpec {
  const found = known.get(spec);
  if (found !== undefined) return found;
  const text = textOf(spec);
  if (text.length > TEXT_LENGTH_MAX) return spec;
  const alike = byText.get(text) ?? spec;
  if (byText.size >= SPECS_MAX) byText.clear();
  byText.set(text, alike);
  known.set(spec, alike);
  return alike;
}

/** The spec as text, with something in place of the token's volume that no JSON has. */
function textOf(spec: PodSpec): string {
  const text = stringifyJson(spec);
  const token = spec.volumes?.find(({ name }) => TOKEN_VOLUME.test(name));
  return token === undefined ? text : text.replaceAll(JSON.stringify(token.name), "token");
}
