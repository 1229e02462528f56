/**
 * GET of a collection. Without selectors or other forms the answer is made of the stored texts; a page is cut at
 * `limit` objects that match, and its continue token fixes the revision of all later pages.
 */
import { apiVersionOf, type JsonObject, stringifyJson } from "@kubewright/core/meta";
import { apiError, badRequest, expired } from "@kubewright/core/protocol";
import { presentObjects, presentTexts } from "../registry/read.ts";
import type { ApiResponse } from "../request/request.ts";
import { type ApiObject, decodeObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { StoredEntry, StoredList } from "../storage/storage.ts";
import type { ResourceCall } from "./call.ts";
import { expiredContinueError, formatContinueToken, parseContinueToken } from "./continue-token.ts";
import { type ListOptions, parseListOptions, parseRevision, requireValidListOptions } from "./list-options.ts";
import { negotiate, type Representation } from "./representation.ts";
import { goTypeOf, partialMetadata, respondJson } from "./respond.ts";
import { awaitRevision } from "./revision.ts";

/** Serves "list". */
export async function handleList(call: ResourceCall): Promise<ApiResponse> {
  const { resource, info } = call;
  const representation = negotiate(call);
  const options = parseListOptions(info.query, resource);
  requireValidListOptions(options, false);
  const page = await readPage(call, options);
  const texts = await presentTexts(resource, page.entries);
  // Whole custom resources come in lists that say that there is no next page.
  const end = resource.custom && representation.as === "object" ? { continue: "" } : {};
  return respondList(call, representation, { texts, metadata: { ...end, ...listMetadata(page) } });
}

/** One page of a list. */
export interface ListPage {
  readonly entries: readonly StoredEntry[];
  readonly revision: number;
  /** "" on the last page. */
  readonly continueToken: string;
  /** Undefined when it is 0 or, because of selectors, not known. */
  readonly remaining: number | undefined;
}

/** The page that the options ask for. */
export async function readPage(call: ResourceCall, options: ListOptions): Promise<ListPage> {
  const { resource, info, backend, request } = call;
  const place = await placeOf(call, options);
  const prefix = resource.definition.scope === "Namespaced" && info.namespace !== "" ? `${info.namespace}/` : "";
  const limit = options.selection.isEverything && options.limit > 0 ? { limit: options.limit } : {};
  const range = { prefix, start: place.start, ...limit, ...(place.isExact ? { revision: place.revision } : {}) };
  request.signal.throwIfAborted();
  const revision = place.isExact ? place.revision : backend.storage.revision;
  const listed = backend.storage.list(resource.storageName, range);
  if (listed === undefined) throw expiredError(options, place.start.slice(prefix.length));
  return cutPage(await select(resource, listed, options), { options, revision, prefix });
}

interface ListPlace {
  readonly revision: number;
  readonly isExact: boolean;
  readonly start: string;
}

/** At which revision to read, and from which key on. */
async function placeOf({ backend, request, resource, info }: ResourceCall, options: ListOptions): Promise<ListPlace> {
  const { continueToken, resourceVersion, resourceVersionMatch, limit } = options;
  if (continueToken !== "") {
    if (resourceVersion !== "" && resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    const { revision, start } = parseContinueToken(continueToken);
    const prefix = resource.definition.scope === "Namespaced" && info.namespace !== "" ? `${info.namespace}/` : "";
    return { revision, isExact: revision > 0, start: prefix + start };
  }
  const revision = parseRevision(resourceVersion, "list") ?? 0;
  const isExact = resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && limit > 0 && revision > 0);
  await awaitRevision(backend, revision, request.signal);
  return { revision, isExact, start: "" };
}

/** A full page is looked no further than its last object, so what follows may match or not. */
async function select(
  resource: ServedResource,
  listed: StoredList,
  { selection, limit }: ListOptions,
): Promise<StoredList> {
  if (selection.isEverything) return listed;
  const objects = selection.isOfVersion ? await presentObjects(resource, listed.entries) : undefined;
  const decode = objects && ((entry: StoredEntry) => objects.get(entry) ?? decodeObject(entry.text));
  const entries = listed.entries.filter((entry) => selection.matchesEntry(entry, decode));
  const last = limit > 0 ? entries[limit - 1] : undefined;
  if (last === undefined || selection.name !== undefined) return { entries, remaining: 0 };
  return { entries: entries.slice(0, limit), remaining: listed.entries.at(-1) === last ? 0 : 1 };
}

/** Cuts at the limit. Tokens name keys relative to the namespace listed, as those of kube-apiserver do. */
function cutPage(
  { entries, remaining }: StoredList,
  { options, revision, prefix }: { readonly options: ListOptions; readonly revision: number; readonly prefix: string },
): ListPage {
  const shown = options.limit > 0 ? entries.slice(0, options.limit) : entries;
  const rest = entries.length - shown.length + remaining;
  const last = shown.at(-1);
  if (rest === 0 || last === undefined) return { entries: shown, revision, continueToken: "", remaining: undefined };
  const start = `${last.key.slice(prefix.length)}\u0000`;
  const continueToken = formatContinueToken({ revision, start });
  return { entries: shown, revision, continueToken, remaining: options.selection.isEverything ? rest : undefined };
}

function expiredError({ continueToken }: ListOptions, start: string): Error {
  if (continueToken !== "") return expiredContinueError(start);
  return expired("The resourceVersion for the provided list is too old.");
}

/** The metadata of a page. */
export function listMetadata({ revision, continueToken, remaining }: ListPage): JsonObject {
  return {
    resourceVersion: String(revision),
    ...(continueToken === "" ? {} : { continue: continueToken }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}

/** A list of object texts in the wanted form. */
export async function respondList(
  call: ResourceCall,
  representation: Representation,
  { texts, metadata }: { readonly texts: readonly string[]; readonly metadata: JsonObject },
): Promise<ApiResponse> {
  if (representation.as === "object" && representation.format === "json" && !representation.pretty) {
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: listText(call.resource, texts, metadata),
    };
  }
  const objects = texts.map(decodeObject);
  return respondJson(representation, 200, await showList(call, representation, { objects, metadata }));
}

async function showList(
  { backend, resource, info }: ResourceCall,
  { as, metaVersion }: Representation,
  { objects, metadata }: { readonly objects: readonly ApiObject[]; readonly metadata: JsonObject },
): Promise<JsonObject> {
  switch (as) {
    case "object":
      return { ...listHead(resource), metadata, items: objects.map((object) => itemOf(resource, object)) };
    case "PartialObjectMetadata":
      throw apiError(
        406,
        "NotAcceptable",
        `you requested PartialObjectMetadata, but the requested object is a list (${goTypeOf(resource, "List")})`,
      );
    case "PartialObjectMetadataList": {
      // Go's list of nothing.
      const items = objects.length === 0 ? null : objects.map((object) => partialMetadata(object, metaVersion));
      return { kind: as, apiVersion: `meta.k8s.io/${metaVersion}`, metadata, items };
    }
    case "Table": {
      const includeObject = info.query.get("includeObject") ?? "Metadata";
      return backend.printTable(resource, { objects, metaVersion, listMetadata: metadata, includeObject });
    }
  }
}

/** Items of built-in kinds leave out what the list says already; those of custom resources do not. */
function listText(resource: ServedResource, texts: readonly string[], metadata: JsonObject): string {
  const head = stringifyJson({ ...listHead(resource), metadata }).slice(0, -1);
  return `${head},"items":[${resource.custom ? texts.join(",") : texts.map((text) => bareText(resource, text)).join(",")}]}`;
}

function bareText({ textStart }: ServedResource, text: string): string {
  return `{${text.slice(textStart.length)}`;
}

function itemOf(resource: ServedResource, object: ApiObject): JsonObject {
  if (resource.custom) return object;
  const { apiVersion: _apiVersion, kind: _kind, ...item } = object;
  return item;
}

function listHead(resource: ServedResource): JsonObject {
  return { kind: listKindOf(resource), apiVersion: apiVersionOf(resource.definition) };
}

function listKindOf({ definition }: ServedResource): string {
  return definition.listKind ?? `${definition.kind}List`;
}
