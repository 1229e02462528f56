/** format.dns1123Label().validate(text) and its siblings: the names and formats of Kubernetes, with their messages. */
import {
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from "../../../meta/names.ts";
import { checkFormat } from "../../formats.ts";
import { type Declaration, declare } from "../overloads.ts";
import { listOf, optionalNone, optionalOf, type Value } from "../values.ts";
import { sizeOf } from "./costs.ts";
import { opaqueType } from "./opaque.ts";
import { urlProblem } from "./urls.ts";

interface NamedFormat {
  readonly name: string;
  /** How long a regular expression for it would be; decides the cost. */
  readonly size: number;
  check(text: string): readonly string[];
}

const formatType = opaqueType<NamedFormat>("kubernetes.NamedFormat", ({ name }) => name);

/** A prefix may end where a name may not. */
function asPrefix(check: (text: string) => readonly string[]): (text: string) => readonly string[] {
  return (text) => check(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -2)}a` : text);
}

function byFormat(format: string, problem: string): (text: string) => readonly string[] {
  return (text) => (checkFormat(format, text) ? [] : [problem]);
}

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  (
    [
      ["dns1123Label", 30, validateDnsLabel],
      ["dns1123Subdomain", 60, validateDnsSubdomain],
      ["dns1035Label", 30, validateDns1035Label],
      ["qualifiedName", 60, validateQualifiedName],
      ["dns1123LabelPrefix", 30, asPrefix(validateDnsLabel)],
      ["dns1123SubdomainPrefix", 60, asPrefix(validateDnsSubdomain)],
      ["dns1035LabelPrefix", 30, asPrefix(validateDns1035Label)],
      ["labelValue", 40, validateLabelValue],
      ["uri", 1103, (text: string) => [urlProblem(text)].filter((problem) => problem !== undefined)],
      ["uuid", 70, byFormat("uuid", "does not match the UUID format")],
      ["byte", 84, byFormat("byte", "invalid base64")],
      ["date", 72, byFormat("date", "invalid date")],
      ["datetime", 72, byFormat("datetime", "invalid datetime")],
    ] as const
  ).map(([name, size, check]) => [name, { name, size, check }]),
);

function validate([format, text]: readonly Value[]): Value {
  const problems = formatType.dataOf(format).check(text as string);
  return problems.length === 0 ? optionalNone : optionalOf(listOf(problems));
}

function validateCost([format, text]: readonly Value[]): number {
  return Math.ceil((1 + sizeOf(text)) * 0.1) * Math.ceil(formatType.dataOf(format).size * 0.25);
}

/** All functions on formats. */
export const namedFormats: readonly Declaration[] = [
  ...Array.from(formats, ([name, format]) =>
    declare(`format.${name}() kubernetes.NamedFormat`, () => formatType.make(format)),
  ),
  declare("format.named(string) optional(kubernetes.NamedFormat)", ([name]) => {
    const format = formats.get(name as string);
    return format === undefined ? optionalNone : optionalOf(formatType.make(format));
  }),
  declare("kubernetes.NamedFormat->validate(string) optional(list(string))", validate, validateCost),
];
