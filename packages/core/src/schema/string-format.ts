/**
 * Strings of a JSON Schema in Kubernetes' terms: formats that the API server knows replace the library's pattern for
 * them; formats it does not know give way to their pattern; patterns must be RE2. Used by from-json-schema.ts.
 */
import { type Conversion, type JsonSchema, pick, refuse } from "./conversion.ts";
import { patternProblem, toRe2Pattern } from "./re2-pattern.ts";
import { FORMAT_KEYWORD } from "./schema-mark.ts";
import type { StructuralSchema } from "./structural.ts";

/** Formats of schema libraries that API servers know under the same name, with the same meaning. */
const SHARED_FORMATS = new Set([
  "byte",
  "date",
  "date-time",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "mac",
  "uri",
  "uuid",
  "uuid3",
  "uuid4",
  "uuid5",
]);

/** Formats that only schema libraries know: their pattern says all. */
const LIBRARY_FORMATS = new Set([
  "base64",
  "base64url",
  "cidrv4",
  "cidrv6",
  "cuid",
  "cuid2",
  "e164",
  "emoji",
  "guid",
  "json-string",
  "jwt",
  "ksuid",
  "lowercase",
  "nanoid",
  "starts_with",
  "ends_with",
  "includes",
  "ulid",
  "uppercase",
  "xid",
]);

/** Format, pattern and lengths of a string. */
export function stringKeywords(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  const format = formatOf(json);
  if (format === "duration" && isIsoDuration(json["pattern"])) {
    return refuse(path, 'ISO 8601 durations are unknown to Kubernetes; use duration() ("1h30m")', conversion);
  }
  if (isUnchecked(json)) {
    return refuse(
      path,
      `format ${json["format"]} is checked by code that the API server lacks; use a pattern`,
      conversion,
    );
  }
  const patterns = patternsOf(json).slice(hasLibraryPattern(json, format) ? 1 : 0);
  for (const pattern of patterns) {
    const problem = patternProblem(pattern);
    if (problem !== undefined) refuse(path, problem, conversion);
  }
  return {
    ...(format === undefined ? {} : { format }),
    ...pick(json, ["minLength", "maxLength"]),
    ...patternKeywords(patterns.map(toRe2Pattern)),
  };
}

function formatOf(json: JsonSchema): string | undefined {
  const { format } = json;
  if (typeof json[FORMAT_KEYWORD] === "string") return json[FORMAT_KEYWORD];
  if (format === "base64" || json["contentEncoding"] === "base64") return "byte";
  if (format === "uuid") return uuidFormat(json["pattern"]);
  return typeof format === "string" && !LIBRARY_FORMATS.has(format) ? format : undefined;
}

/** API servers know UUIDs of any version, and of versions 3, 4 and 5; other versions are left to their pattern. */
function uuidFormat(pattern: unknown): string | undefined {
  const version = typeof pattern === "string" ? /-([1-8])\[0-9a-fA-F\]\{3\}/.exec(pattern)?.[1] : undefined;
  if (version === undefined) return "uuid";
  return ["3", "4", "5"].includes(version) ? `uuid${version}` : undefined;
}

/** A library's own format comes with its pattern, which stands before those that users add. */
function hasLibraryPattern(json: JsonSchema, format: string | undefined): boolean {
  return json[FORMAT_KEYWORD] === undefined && format !== undefined && SHARED_FORMATS.has(format);
}

/** zod writes several patterns as `allOf`. */
function patternsOf(json: JsonSchema): string[] {
  const members = Array.isArray(json["allOf"]) ? (json["allOf"] as readonly JsonSchema[]) : [];
  return [json, ...members].map((schema) => schema["pattern"]).filter((pattern) => typeof pattern === "string");
}

function patternKeywords(patterns: readonly string[]): StructuralSchema {
  const [first, ...more] = patterns;
  if (first === undefined) return {};
  return more.length === 0 ? { pattern: first } : { allOf: patterns.map((pattern) => ({ pattern })) };
}

/** A format of the library's own without a pattern: nothing would be left of it. */
function isUnchecked(json: JsonSchema): boolean {
  return LIBRARY_FORMATS.has(String(json["format"])) && formatOf(json) === undefined && patternsOf(json).length === 0;
}

function isIsoDuration(pattern: unknown): boolean {
  return typeof pattern === "string" && pattern.includes("P");
}
