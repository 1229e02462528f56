/**
 * What schema validation found at one node, before it becomes field errors: issues with the text of kube-openapi, and
 * how many checks passed, by which anyOf and oneOf choose the alternative they report. validate.ts collects them.
 */
import type { Json } from "../meta/json.ts";
import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  fieldTypeInvalid,
} from "../protocol/field-error.ts";
import { formatGoJson, quote } from "../protocol/go-format.ts";

/** One failed check. `text` identifies it: the same text is told once. */
export interface Issue {
  readonly text: string;
  toFieldError(): FieldError;
}

/** Issues and passed checks of one node. */
export interface Findings {
  readonly issues: Issue[];
  matches: number;
  /** The texts of the issues, once there are many: an object with 100 000 errors must not take a minute. */
  texts?: Set<string>;
}

/** Nothing found yet. */
export function noFindings(matches = 0): Findings {
  return { issues: [], matches };
}

/** Adds what another node or check found. */
export function merge(into: Findings, from: Findings): void {
  for (const issue of from.issues) addIssue(into, issue);
  into.matches += from.matches;
}

/** From how many issues on their texts are kept in a set. */
const fewIssues = 8;

/** Adds an issue unless one with the same text is there. */
export function addIssue(findings: Findings, issue: Issue): void {
  const { issues } = findings;
  if (issues.length < fewIssues) {
    if (!issues.some((known) => known.text === issue.text)) issues.push(issue);
    return;
  }
  findings.texts ??= new Set(issues.map((known) => known.text));
  if (findings.texts.has(issue.text)) return;
  findings.texts.add(issue.text);
  issues.push(issue);
}

/** A value of the wrong type; `actual` is the name of its type, which Kubernetes shows as the value. */
export function wrongType(path: string, expected: string, actual: string): Issue {
  const text = `${path} in body must be of type ${expected}: ${quote(actual)}`;
  return { text, toFieldError: () => fieldTypeInvalid(fieldName(path), actual, text) };
}

/** A field that must be there. */
export function missing(path: string): Issue {
  return { text: `${path} in body is required`, toFieldError: () => fieldRequired(fieldName(path)) };
}

/** A value outside of an enumeration. */
export function notInEnum(path: string, value: Json, supported: readonly Json[]): Issue {
  const names = supported.map((entry) => (typeof entry === "string" ? entry : formatGoJson(entry)));
  return {
    text: `${path} in body should be one of [${names.join(" ")}]`,
    toFieldError: () => fieldNotSupported(fieldName(path), value, names),
  };
}

/** A text with too many characters. Kubernetes counts characters and says bytes. */
export function tooLong(path: string, charactersMax: number): Issue {
  return {
    text: `${path} in body should be at most ${charactersMax} chars long`,
    toFieldError: () => fieldTooLong(fieldName(path), charactersMax),
  };
}

/** A list or map with too many entries. */
export function tooMany(
  path: string,
  count: { readonly actual: number; readonly max: number; readonly noun: string },
): Issue {
  return {
    text: `${path} in body should have at most ${count.max} ${count.noun}`,
    toFieldError: () => fieldTooMany(fieldName(path), count.actual, count.max),
  };
}

/** Any other rule about a value: `rule` follows "spec.x in body". */
export function breaksRule(path: string, value: Json | undefined, rule: string): Issue {
  return withText(path, value, `${path} in body ${rule}`);
}

/** A rule about a value whose text does not start with the path. */
export function withText(path: string, value: Json | undefined, text: string): Issue {
  return { text, toFieldError: () => fieldInvalid(fieldName(path), value ?? "", text) };
}

/** Something that Kubernetes reports without a field. */
export function withoutField(text: string): Issue {
  return { text, toFieldError: () => fieldInvalid("<nil>", "", text) };
}

function fieldName(path: string): string {
  const name = path.startsWith(".") ? path.slice(1) : path;
  return name === "" ? "<nil>" : name;
}
