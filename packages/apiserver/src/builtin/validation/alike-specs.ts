/**
 * Specs of pods that say the same: the pods of one template differ in the name of the volume with their token alone. What was found
 * out about one of them holds for all; the checks and warnings of pods ask here before they look.
 */
import type { PodSpec } from "@kubewright/api/core/v1";
import { getKey, isJsonArray, isJsonObject, type Json, stringifyJson } from "@kubewright/core/meta";
import { asJson } from "./fields.ts";

const SPECS_MAX = 100;
const TEXT_LENGTH_MAX = 16_384;
/** Every such name is as good as any other. */
const TOKEN_VOLUME = /^kube-api-access-[a-z0-9]{5}$/;

const byText = new Map<string, PodSpec>();
const known = new WeakMap<PodSpec, PodSpec>();

/** What was found last: pods of one template come in a row, and comparing two specs takes less than a text. */
let latest: PodSpec | undefined;

/** The first spec that said the same; the spec itself when none did, or it is not remembered. */
export function alikeSpec(spec: PodSpec): PodSpec {
  const found = known.get(spec);
  if (found !== undefined) return found;
  const alike = latest !== undefined && isAlike(spec, latest) ? latest : alikeByText(spec);
  if (alike === undefined) return spec;
  known.set(spec, alike);
  latest = alike;
  return alike;
}

/** Undefined for a spec that is too long to be remembered. */
function alikeByText(spec: PodSpec): PodSpec | undefined {
  const text = textOf(spec);
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const alike = byText.get(text) ?? spec;
  if (byText.size >= SPECS_MAX) byText.clear();
  byText.set(text, alike);
  return alike;
}

/** The spec as text, with something in place of the token's volume that no JSON has. */
function textOf(spec: PodSpec): string {
  const text = stringifyJson(spec);
  const token = tokenOf(spec);
  return token === undefined ? text : text.replaceAll(JSON.stringify(token), "token");
}

function tokenOf(spec: PodSpec): string | undefined {
  return spec.volumes?.find(({ name }) => TOKEN_VOLUME.test(name))?.name;
}

function isAlike(spec: PodSpec, other: PodSpec): boolean {
  return saysTheSame(asJson(spec), asJson(other), [tokenOf(spec), tokenOf(other)]);
}

/** Whether two values differ in the names of tokens alone. */
function saysTheSame(
  left: Json | undefined,
  right: Json | undefined,
  tokens: readonly [left: string | undefined, right: string | undefined],
): boolean {
  if (typeof left === "string") return left === tokens[0] ? right === tokens[1] : left === right && right !== tokens[1];
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => saysTheSame(item, right[index], tokens))
    );
  }
  if (!isJsonObject(left)) return left === right;
  if (!isJsonObject(right)) return false;
  let rest = Object.keys(right).length;
  for (const key in left) {
    if (!saysTheSame(left[key], getKey(right, key), tokens)) return false;
    rest--;
  }
  return rest === 0;
}
