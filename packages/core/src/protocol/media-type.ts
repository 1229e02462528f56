/**
 * Media types: what bodies are written in. Servers choose an answer's type by the Accept header and read a body by its
 * Content-Type; the parameters `as`, `g` and `v` ask for the objects as another kind (Table, PartialObjectMetadata).
 */
import type { GroupVersionKind } from "../meta/resource.ts";

/** JSON, the default of everything. */
export const JSON_MEDIA_TYPE = "application/json";

/** YAML. */
export const YAML_MEDIA_TYPE = "application/yaml";

/** Kubernetes' protobuf envelope. */
export const PROTOBUF_MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

/** The kinds of patch and the content types they go by. */
export const PATCH_MEDIA_TYPES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategicMerge: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map(
  Object.entries(PATCH_MEDIA_TYPES).map(([type, mediaType]) => [mediaType, type as PatchType]),
);

/** How a patch changes an object. */
export type PatchType = keyof typeof PATCH_MEDIA_TYPES;

/** A media type with its parameters. */
export interface MediaType {
  /** In lower case: "application/json". */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** One clause of an Accept header. */
export interface AcceptClause extends MediaType {
  /** Its `q`. */
  readonly quality: number;
}

/** What an answer should be written in. */
export interface Negotiated {
  /** One of the offered media types. */
  readonly mediaType: string;
  /** The kind to turn objects into; absent for the objects as they are. */
  readonly as?: GroupVersionKind;
  /** Indented for people. */
  readonly pretty: boolean;
  /** "watch" when the clause asks for a stream. @default "" */
  readonly stream: string;
  /** What aggregated discovery is asked for, such as "nopeer". @default "" */
  readonly profile: string;
}

/** What a server can answer with. */
export interface Offers {
  /** Best first; the first one answers a request without Accept. */
  readonly mediaTypes: readonly string[];
  /** Whether objects can be turned into a kind, in a media type. @default no kind at all */
  readonly transforms?: (kind: GroupVersionKind, mediaType: string) => boolean;
}

/** A Content-Type header. */
export function parseMediaType(text: string): MediaType {
  const [type = "", ...rest] = text.split(";");
  const parameters = rest.flatMap((part) => {
    const [name = "", value, ...more] = part.split("=").map((word) => word.trim());
    return value === undefined || value === "" || more.length > 0 ? [] : [[name, unquote(value)] as const];
  });
  return { type: type.trim().toLowerCase(), parameters: new Map(parameters) };
}

/** The clauses of an Accept header, best first. */
export function parseAccept(header: string): readonly AcceptClause[] {
  const known = parsedHeaders.get(header);
  if (known !== undefined) return known;
  const clauses = parseClauses(header);
  if (header.length <= HEADER_LENGTH_MAX && parsedHeaders.size < HEADERS_MAX) parsedHeaders.set(header, clauses);
  return clauses;
}

/** Clients send the same few headers with every request. */
const parsedHeaders = new Map<string, readonly AcceptClause[]>();
const HEADERS_MAX = 200;
const HEADER_LENGTH_MAX = 500;

function parseClauses(header: string): readonly AcceptClause[] {
  return header
    .split(",")
    .map(parseMediaType)
    .map(({ type, parameters }) => ({ type: type === "*" ? "*/*" : type, parameters, quality: qualityOf(parameters) }))
    .filter(({ type }) => /^[^/]+\/[^/]+$/.test(type))
    .toSorted((a, b) => b.quality - a.quality || specificity(b.type) - specificity(a.type));
}

/** The first clause of `accept` that an offer satisfies; undefined is a 406. */
export function negotiate(accept: string | undefined, offers: Offers): Negotiated | undefined {
  const [first] = offers.mediaTypes;
  if (accept === undefined || accept === "") return first === undefined ? undefined : plain(first);
  for (const clause of parseAccept(accept)) {
    for (const mediaType of offers.mediaTypes) {
      const negotiated = matchesType(clause.type, mediaType) ? satisfy(clause, mediaType, offers) : undefined;
      if (negotiated !== undefined) return negotiated;
    }
  }
  return undefined;
}

/** The kind of patch that a Content-Type names. */
export function patchTypeOf(contentType: string): PatchType | undefined {
  const exact = PATCH_TYPES.get(contentType);
  if (exact !== undefined) return exact;
  return PATCH_TYPES.get(parseMediaType(contentType).type);
}

/** An Accept header that asks for objects as another kind, and plainly where the server cannot. */
export function formatAcceptAs({ group, version, kind }: GroupVersionKind): string {
  return `${JSON_MEDIA_TYPE};as=${kind};v=${version};g=${group},${JSON_MEDIA_TYPE}`;
}

function satisfy({ parameters }: AcceptClause, mediaType: string, offers: Offers): Negotiated | undefined {
  const as = kindOf(parameters);
  if (as !== undefined && offers.transforms?.(as, mediaType) !== true) return undefined;
  const stream = parameters.get("stream") ?? "";
  if (stream !== "" && stream !== "watch") return undefined;
  if ((parameters.get("sv") ?? "") !== "") return undefined; // A server version is never on offer.
  const pretty = parameters.get("pretty") === "1";
  const profile = parameters.get("profile") ?? "";
  return { mediaType, ...(as === undefined ? {} : { as }), pretty, stream, profile };
}

function kindOf(parameters: ReadonlyMap<string, string>): GroupVersionKind | undefined {
  if (!parameters.has("as") && !parameters.has("g") && !parameters.has("v")) return undefined;
  const read = (name: string): string => parameters.get(name) ?? "";
  return { group: read("g"), version: read("v"), kind: read("as") };
}

function plain(mediaType: string): Negotiated {
  return { mediaType, pretty: false, stream: "", profile: "" };
}

function matchesType(clause: string, offered: string): boolean {
  return clause === "*/*" || clause === offered || (clause.endsWith("/*") && offered.startsWith(clause.slice(0, -1)));
}

function specificity(type: string): number {
  return type === "*/*" ? 0 : type.endsWith("/*") ? 1 : 2;
}

function qualityOf(parameters: ReadonlyMap<string, string>): number {
  const text = parameters.get("q");
  const quality = text === undefined ? 1 : Number(text);
  return Number.isNaN(quality) ? 0 : quality;
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
