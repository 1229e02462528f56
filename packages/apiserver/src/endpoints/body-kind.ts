/**
 * What a body says it is, against what the path says it must be. decode.ts asks for every object that is written; the
 * texts are those of kube-apiserver's decoders, which know the kinds of all built-in versions.
 */
import { apiVersionOf, decodeUtf8, isJsonObject, type JsonObject, stringifyJson } from "@kubewright/core/meta";
import { badRequest, fieldInvalid, invalidError } from "@kubewright/core/protocol";
import type { ApiRequest } from "../request/request.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { ResourceCall } from "./call.ts";
import { type BodyKind, goKindOf, unrecognized } from "./parse-body.ts";

/** An object that says what it is. */
export type Typed = JsonObject & { readonly apiVersion: string; readonly kind: string };

/** The object with the kind of its path. Built-in kinds may leave out what the path says; custom resources may not. */
export function withKind(value: JsonObject, call: ResourceCall): Typed {
  const { request, resource } = call;
  const { definition, custom } = resource;
  const expected = apiVersionOf(definition);
  if (value["apiVersion"] === expected && value["kind"] === definition.kind) return value as Typed;
  requireTexts(value, definition, request);
  const { apiVersion = "", kind = "" } = value as { readonly apiVersion?: string; readonly kind?: string };
  if (custom && (kind === "" || apiVersion === "")) throw missingKind(value, definition, bytesOf(request));
  const given = { apiVersion: apiVersion || expected, kind: kind || definition.kind };
  const mismatch = custom ? undefined : mismatchOf(given, call);
  if (mismatch !== undefined) {
    const version = given.apiVersion.split("/").at(-1) ?? "";
    const what = `${given.kind} in version ${JSON.stringify(version)} cannot be handled as a ${definition.kind}`;
    throw badRequest(`${what}: ${mismatch}`);
  }
  if (given.apiVersion !== expected) throw otherVersion(given.apiVersion, expected);
  if (given.kind !== definition.kind) throw wrongKind(value, given.kind, definition);
  // In the order in which objects are stored, which needs no second look then.
  return Object.hasOwn(value, "apiVersion") || Object.hasOwn(value, "kind")
    ? { ...value, ...given }
    : { apiVersion: expected, kind: definition.kind, ...value };
}

/** Why kube-apiserver's decoder would not make an object of the resource's kind; undefined when it would. */
export function mismatchOf(
  given: { readonly apiVersion: string; readonly kind: string },
  { resource, backend }: Pick<ResourceCall, "resource" | "backend">,
): string | undefined {
  const { group, kind } = resource.definition;
  if (given.kind === kind && (given.apiVersion === apiVersionOf(resource.definition) || isOlder(given.apiVersion))) {
    return undefined;
  }
  const findKind = (name: string): ServedResource | undefined => backend.registry.findKind(given.apiVersion, name);
  if (!isKnown(given.kind, findKind)) {
    const [name, version] = [given.kind, given.apiVersion].map((text) => JSON.stringify(text));
    return `no kind ${name} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`;
  }
  if (given.kind === kind) return undefined;
  return `converting (${given.apiVersion.split("/").at(-1)}.${given.kind}) to (${goPackage(group)}.${kind}): unknown conversion`;
}

/** The package of Go's internal types of a group. */
export function goPackage(group: string): string {
  return group === "" || group === "events.k8s.io" ? "core" : (group.split(".", 1)[0] ?? group);
}

/** Versions before the stable ones are no longer served, but still known. */
function isOlder(apiVersion: string): boolean {
  return /v\d+(?:alpha|beta)\d+$/.test(apiVersion);
}

/** Kinds that every group has. */
const COMMON_KINDS: ReadonlySet<string> = new Set(["DeleteOptions", "List", "Status", "WatchEvent"]);

function isKnown(kind: string, findKind: (kind: string) => ServedResource | undefined): boolean {
  const candidates = [kind, kind.replace(/List$/, "")].map(findKind);
  return COMMON_KINDS.has(kind) || candidates.some((found) => found !== undefined && !found.custom);
}

/** The 400 for an object of another version than that of its path. */
export function otherVersion(given: string, expected: string): Error {
  return badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
}

function requireTexts(value: JsonObject, definition: BodyKind, request: ApiRequest): void {
  for (const name of ["apiVersion", "kind"] as const) {
    const given = value[name];
    if (given === undefined || given === null || typeof given === "string") continue;
    const why = `json: cannot unmarshal ${goKindOf(given)} into Go struct field .${name} of type string`;
    throw unrecognized(definition, `couldn't get version/kind; json parse error: ${why}`, bytesOf(request));
  }
  const apiVersion = String(value["apiVersion"] ?? "");
  if (apiVersion.split("/").length > 2) {
    throw unrecognized(definition, `unexpected GroupVersion string: ${apiVersion}`, bytesOf(request));
  }
}

function bytesOf({ body, given }: Pick<ApiRequest, "body" | "given">): Uint8Array {
  return given === undefined ? body : Buffer.from(stringifyJson(given));
}

function missingKind(value: JsonObject, kind: BodyKind, body: Uint8Array): Error {
  const what = (value["kind"] ?? "") === "" ? "Kind" : "apiVersion";
  return unrecognized(kind, `Object '${what}' is missing in '${decodeUtf8(body)}'`, body);
}

function wrongKind(value: JsonObject, given: string, { group, kind }: BodyKind): Error {
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  const name = typeof metadata["name"] === "string" ? metadata["name"] : "";
  return invalidError({ group, kind: given, name }, [fieldInvalid("kind", given, `must be ${kind}`)]);
}
