/**
 * The options of requests ↔ their query strings. Clients format, servers parse; both by the same tables. Values are
 * read as Kubernetes reads them: a boolean is true unless "0" or "false", an integer has 64 bits, the first of
 * repeated parameters counts. Whether values make sense together is the server's business.
 */
import { malformed } from "../meta/malformed.ts";
import { isQueryTrue } from "./request-path.ts";

/** Which version a list or watch may or must be of. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

/** What becomes of the objects that an object owns when it is deleted. */
export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

/** What a server does with unknown and duplicate fields. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** Options of list, watch and deletecollection. */
export interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly watch?: boolean;
  readonly allowWatchBookmarks?: boolean;
  /** A watch tells all present objects first, then a bookmark. */
  readonly sendInitialEvents?: boolean;
  readonly resourceVersion?: string;
  /** A `ResourceVersionMatch`; servers get any text. */
  readonly resourceVersionMatch?: string;
  /** How long the server lets the request run. */
  readonly timeoutSeconds?: number;
  /** Objects per page. */
  readonly limit?: number;
  /** The token of the page before. */
  readonly continue?: string;
}

/** Options of get. */
export interface GetOptions {
  readonly resourceVersion?: string;
}

/** Options of create and update. */
export interface WriteOptions {
  /** ["All"] goes through all steps but stores nothing. */
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  /** A `FieldValidation`; servers get any text. */
  readonly fieldValidation?: string;
}

/** Options of patch. */
export interface PatchOptions extends WriteOptions {
  /** For apply: takes fields that others own. */
  readonly force?: boolean;
}

/** Options of delete, as far as the query carries them; the body may carry them too, and preconditions. */
export interface DeleteOptions {
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  /** A `PropagationPolicy`; servers get any text. */
  readonly propagationPolicy?: string;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** The options of a list or watch request. Throws `MalformedError` with Kubernetes' text. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  return parseOptions<ListOptions>(query, LIST_PARAMETERS);
}

/** The options of a get request. */
export function parseGetOptions(query: URLSearchParams): GetOptions {
  return parseOptions<GetOptions>(query, { resourceVersion: "text" });
}

/** The options of a create or update request. */
export function parseWriteOptions(query: URLSearchParams): WriteOptions {
  return parseOptions<WriteOptions>(query, WRITE_PARAMETERS);
}

/** The options of a patch request. */
export function parsePatchOptions(query: URLSearchParams): PatchOptions {
  return parseOptions<PatchOptions>(query, PATCH_PARAMETERS);
}

/** The options in the query of a delete request. Throws `MalformedError` with Kubernetes' text. */
export function parseDeleteOptions(query: URLSearchParams): DeleteOptions {
  return parseOptions<DeleteOptions>(query, DELETE_PARAMETERS);
}

/** Options as a query string: "" or "?a=b&c=d", sorted by name. Undefined and empty text are left out. */
export function formatQuery(options: ListOptions | GetOptions | PatchOptions | DeleteOptions): string {
  let query = "";
  const isSaid = (value: unknown): boolean => value !== undefined && value !== "";
  const said = Object.keys(options).filter((name) => isSaid(options[name as keyof typeof options]));
  // Most requests say one thing only.
  for (const name of said.length > 1 ? said.sort() : said) {
    const value: unknown = options[name as keyof typeof options];
    for (const item of Array.isArray(value) ? value : [value]) {
      if (isSaid(item)) query += `${query === "" ? "?" : "&"}${formEncoded(name, String(item))}`;
    }
  }
  return query;
}

/** What forms leave as it is. */
const PLAIN = /^[\w.*-]*$/;

/** "name=value" as forms encode it. Every request has some, and hardly any has something to encode. */
function formEncoded(name: string, value: string): string {
  return PLAIN.test(name) && PLAIN.test(value) ? `${name}=${value}` : `${new URLSearchParams([[name, value]])}`;
}

type Parameter = "text" | "texts" | "boolean" | "integer";

type Parameters<Options> = { readonly [Name in keyof Required<Options>]: Parameter };

const LIST_PARAMETERS: Parameters<ListOptions> = {
  labelSelector: "text",
  fieldSelector: "text",
  watch: "boolean",
  allowWatchBookmarks: "boolean",
  sendInitialEvents: "boolean",
  resourceVersion: "text",
  resourceVersionMatch: "text",
  timeoutSeconds: "integer",
  limit: "integer",
  continue: "text",
};

const WRITE_PARAMETERS: Parameters<WriteOptions> = { dryRun: "texts", fieldManager: "text", fieldValidation: "text" };

const PATCH_PARAMETERS: Parameters<PatchOptions> = { ...WRITE_PARAMETERS, force: "boolean" };

const DELETE_PARAMETERS: Parameters<DeleteOptions> = {
  dryRun: "texts",
  gracePeriodSeconds: "integer",
  orphanDependents: "boolean",
  propagationPolicy: "text",
  ignoreStoreReadErrorWithClusterBreakingPotential: "boolean",
};

function parseOptions<Options>(query: URLSearchParams, parameters: Parameters<Options>): Options {
  const names = Object.entries<Parameter>(parameters).filter(([name]) => query.has(name));
  return Object.fromEntries(names.map(([name, kind]) => [name, readParameter(query, name, kind)])) as Options;
}

function readParameter(query: URLSearchParams, name: string, kind: Parameter): unknown {
  const value = query.get(name) ?? "";
  switch (kind) {
    case "text":
      return value;
    case "texts":
      return query.getAll(name);
    case "boolean":
      return isQueryTrue(query, name);
    case "integer":
      return parseInteger(value);
  }
}

function parseInteger(text: string): number {
  const complain = (what: string): Error => malformed(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${what}`);
  if (!/^[+-]?[0-9]+$/.test(text)) throw complain("invalid syntax");
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) throw complain("value out of range");
  return value;
}
