/**
 * What the client wants to see, from the Accept header: the whole object, its metadata, or a table; as JSON or YAML.
 * Every endpoint asks once, before it does anything, so that a 406 has no effects.
 */
import {
  apiError,
  JSON_MEDIA_TYPE,
  type Negotiated,
  negotiate as negotiateMediaType,
  notAcceptable,
  type Offers,
  PROTOBUF_MEDIA_TYPE,
  YAML_MEDIA_TYPE,
} from "@kubewright/core/protocol";
import type { ResourceCall } from "./call.ts";

/** The form of an answer. */
export interface Representation {
  readonly format: "json" | "yaml";
  /** "object" is the kind itself. */
  readonly as: "object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** Version of meta.k8s.io that the client asked for; only for forms other than "object". */
  readonly metaVersion: string;
  readonly pretty: boolean;
  /** Whether a table says what its columns are; later events of a watch do not. @default true */
  readonly withColumns?: boolean;
}

/** Bodies may come in these, and answers say so; answers themselves are never protobuf. */
export const MEDIA_TYPES_NAMED: readonly string[] = [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE];

/** What a watch can be sent as. */
export const STREAM_TYPES_NAMED: readonly string[] = [
  `${JSON_MEDIA_TYPE};stream=watch`,
  `${PROTOBUF_MEDIA_TYPE};stream=watch`,
];
const FORMS: ReadonlySet<string> = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);

const OFFERS: Offers = {
  mediaTypes: [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE],
  transforms: ({ group, version, kind }) =>
    group === "meta.k8s.io" && (version === "v1" || version === "v1beta1") && FORMS.has(kind),
};

/** The first acceptable clause of the Accept header. Throws a 406 when there is none. */
export function negotiate({ request, info, resource }: ResourceCall): Representation {
  const { headers } = request;
  const negotiated = negotiateAccept(headers["accept"] ?? "");
  if (negotiated === undefined) throw notAcceptableTo(headers["accept"] ?? "", { resource, info });
  return {
    format: negotiated.mediaType === YAML_MEDIA_TYPE ? "yaml" : "json",
    as: (negotiated.as?.kind ?? "object") as Representation["as"],
    metaVersion: negotiated.as?.version ?? "",
    pretty: negotiated.pretty || isPretty(headers["user-agent"] ?? "", info.query),
  };
}

/** Clients send the same few headers with every request. */
const negotiatedHeaders = new Map<string, Negotiated | undefined>();
const HEADERS_MAX = 200;
const HEADER_LENGTH_MAX = 500;

function negotiateAccept(accept: string): Negotiated | undefined {
  const known = negotiatedHeaders.get(accept);
  if (known !== undefined) return known;
  const negotiated = negotiateMediaType(accept, OFFERS);
  if (accept.length <= HEADER_LENGTH_MAX && negotiatedHeaders.size < HEADERS_MAX)
    negotiatedHeaders.set(accept, negotiated);
  return negotiated;
}

/** Routes of built-in kinds say what they offer before they look at forms; those of custom resources do not. */
function notAcceptableTo(accept: string, { resource, info }: Pick<ResourceCall, "resource" | "info">): Error {
  const isKnownType =
    negotiateMediaType(accept, { mediaTypes: MEDIA_TYPES_NAMED, transforms: () => true }) !== undefined;
  if (resource.custom || isKnownType) return notAcceptable(MEDIA_TYPES_NAMED);
  const streams = info.verb === "list" || info.verb === "watch" ? STREAM_TYPES_NAMED : [];
  const offered = [...MEDIA_TYPES_NAMED, ...streams].join(", ");
  return apiError(406, "NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${offered}`, {});
}

/** What Go reads as true. */
const GO_TRUE: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/** People who use a browser or curl read the answer themselves. */
export function isPretty(userAgent: string, query: URLSearchParams): boolean {
  const pretty = query.get("pretty") ?? "";
  if (pretty !== "") return GO_TRUE.has(pretty);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
