/**
 * Answers: entries and objects in the form that the client asked for. The common case, a whole object as JSON, sends
 * the stored text as it is; every other form is made from the decoded object.
 */
import { deepFreeze, type JsonObject, showWhole, stringifyJson } from "@kubewright/core/meta";
import type { Headers } from "@kubewright/core/ports";
import { type ApiError, apiError } from "@kubewright/core/protocol";
import { contentOf } from "../registry/content.ts";
import { isCurrent, presentHeld, presentTexts } from "../registry/read.ts";
import { LateBody } from "../request/late-body.ts";
import type { ApiResponse } from "../request/request.ts";
import { type ApiObject, decodeObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { StoredEntry } from "../storage/storage.ts";
import { goPackage } from "./body-kind.ts";
import type { ResourceCall } from "./call.ts";
import type { Representation } from "./representation.ts";

const JSON_HEADERS: Headers = { "content-type": "application/json" };

/** An answer with a text that is JSON already, in the wanted form. */
export async function respondText(
  call: ResourceCall,
  representation: Representation,
  { status, text }: { readonly status: number; readonly text: string },
): Promise<ApiResponse> {
  if (representation.as === "object" && representation.format === "json" && !representation.pretty) {
    return { status, headers: JSON_HEADERS, body: text };
  }
  const shown = await showObject(call, representation, decodeObject(text));
  return respondJson(representation, status, shown);
}

/** An answer with an object at a revision, be it stored or not. */
export async function respondContent(
  call: ResourceCall,
  representation: Representation,
  { status, revision, encode, value }: ReturnType<typeof contentOf> & StatusAndRevision,
): Promise<ApiResponse> {
  if (!handsOver(call, representation)) return respondText(call, representation, { status, text: encode(revision) });
  const shown = (): JsonObject => {
    const { object, owners } = value(revision);
    return call.request.takesValues === "lean" ? deepFreeze(object) : showWhole(deepFreeze(object), owners);
  };
  return { status, headers: JSON_HEADERS, body: new LateBody(() => encode(revision)), value: shown };
}

interface StatusAndRevision {
  readonly status: number;
  readonly revision: number;
}

/** Whether the client takes the object itself, so that nothing has to be encoded for it. */
function handsOver({ request }: ResourceCall, { as, format, pretty }: Representation): boolean {
  return (request.takesValues ?? false) !== false && as === "object" && format === "json" && !pretty;
}

/** An answer with a stored entry; at once where the client takes it as it is stored. */
export function respondEntry(
  call: ResourceCall,
  representation: Representation,
  { status, entry }: { readonly status: number; readonly entry: StoredEntry },
): ApiResponse | Promise<ApiResponse> {
  if (handsOver(call, representation) && isCurrent(call.resource, entry)) {
    const lean = call.request.takesValues === "lean" ? entry.value?.object : undefined;
    const value = (): JsonObject => lean ?? call.backend.storage.objectOf(entry);
    return { status, headers: JSON_HEADERS, body: new LateBody(() => entry.text), value };
  }
  return respondOther(call, representation, { status, entry });
}

/** An answer with an entry that the client takes in another form. */
async function respondOther(
  call: ResourceCall,
  representation: Representation,
  { status, entry }: { readonly status: number; readonly entry: StoredEntry },
): Promise<ApiResponse> {
  const held = handsOver(call, representation) ? await presentHeld(call.resource, entry) : undefined;
  if (held !== undefined) {
    const content = contentOf(held, { owners: entry.value?.owners });
    return respondContent(call, representation, { status, revision: entry.revision, ...content });
  }
  const [text = ""] = isCurrent(call.resource, entry) ? [entry.text] : await presentTexts(call.resource, [entry]);
  return respondText(call, representation, { status, text });
}

/** An answer with a Status, which nobody has to read from text in the process. */
export function respondStatus(
  call: ResourceCall,
  representation: Representation,
  { code, status }: { readonly code: number; readonly status: JsonObject },
): ApiResponse | Promise<ApiResponse> {
  if (!handsOver(call, representation)) return respondJson(representation, code, status);
  const body = new LateBody(() => stringifyJson(status));
  return { status: code, headers: JSON_HEADERS, body, value: () => deepFreeze(status) };
}

/** An answer with a value as it is. */
export async function respondJson(
  representation: Pick<Representation, "format" | "pretty">,
  status: number,
  value: JsonObject,
): Promise<ApiResponse> {
  const { format, pretty } = representation;
  if (format === "json") return { status, headers: JSON_HEADERS, body: stringifyJson(value, pretty ? 2 : 0) };
  const { stringifyYaml } = await import("./yaml.ts");
  return { status, headers: { "content-type": "application/yaml" }, body: stringifyYaml(value) };
}

/** One object in the wanted form. */
export async function showObject(
  { backend, resource, info }: ResourceCall,
  { as, metaVersion, withColumns = true }: Representation,
  object: ApiObject,
): Promise<JsonObject> {
  switch (as) {
    case "object":
      return object;
    case "PartialObjectMetadata":
      return partialMetadata(object, metaVersion);
    case "PartialObjectMetadataList":
      throw wrongForm(resource, as);
    case "Table":
      return backend.printTable(resource, {
        objects: [object],
        metaVersion,
        listMetadata: { resourceVersion: object.metadata.resourceVersion },
        includeObject: info.query.get("includeObject") ?? "Metadata",
        withColumns,
      });
  }
}

/** Only the metadata of an object. */
export function partialMetadata({ metadata }: ApiObject, metaVersion: string): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${metaVersion}`, metadata };
}

function wrongForm(resource: ServedResource, as: string): ApiError {
  const message = `you requested ${as}, but the requested object is not a list (${goTypeOf(resource)})`;
  return apiError(406, "NotAcceptable", message);
}

/** The Go type that refusals of kube-apiserver name for objects of a resource, or for lists of them. */
export function goTypeOf({ definition, custom }: ServedResource, suffix: "" | "List" = ""): string {
  return custom ? `*unstructured.Unstructured${suffix}` : `*${goPackage(definition.group)}.${definition.kind}${suffix}`;
}
