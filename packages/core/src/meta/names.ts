/**
 * Which names Kubernetes takes: DNS labels and subdomains, label keys and values, path segments. Each function returns
 * what is wrong in Kubernetes' words, or an empty list. The texts go into field errors unchanged.
 */

const DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const DNS_1035_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${LABEL_KEY})?`;
const CONFIG_KEY = "[-._a-zA-Z0-9]+";

const DNS_LABEL_PATTERN = whole(DNS_LABEL);
const DNS_SUBDOMAIN_PATTERN = whole(DNS_SUBDOMAIN);
const DNS_1035_LABEL_PATTERN = whole(DNS_1035_LABEL);
const LABEL_KEY_PATTERN = whole(LABEL_KEY);
const LABEL_VALUE_PATTERN = whole(LABEL_VALUE);
const CONFIG_KEY_PATTERN = whole(CONFIG_KEY);

/** The longest DNS label, label value and name part of a label key, in bytes. */
export const LABEL_BYTES_MAX = 63;

/** The longest DNS subdomain, and so the longest name of most objects, in bytes. */
export const SUBDOMAIN_BYTES_MAX = 253;

/** What is wrong with a DNS-1123 label ("my-name"); namespaces are named so. */
export function validateDnsLabel(value: string): readonly string[] {
  const errors = tooLong(value, LABEL_BYTES_MAX, "characters");
  if (DNS_LABEL_PATTERN.test(value)) return errors;
  if (DNS_SUBDOMAIN_PATTERN.test(value)) return [...errors, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, patternError(rule, DNS_LABEL, ["my-name", "123-abc"])];
}

/** What is wrong with a DNS-1123 subdomain ("example.com"); most objects and all groups are named so. */
export function validateDnsSubdomain(value: string): readonly string[] {
  return subdomainErrors(value, "characters");
}

function subdomainErrors(value: string, unit: LengthUnit): readonly string[] {
  const errors = tooLong(value, SUBDOMAIN_BYTES_MAX, unit);
  if (DNS_SUBDOMAIN_PATTERN.test(value)) return errors;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...errors, patternError(rule, DNS_SUBDOMAIN, ["example.com"])];
}

/** What is wrong with a DNS-1035 label ("abc-123", starting with a letter); plurals and singulars are named so. */
export function validateDns1035Label(value: string): readonly string[] {
  const errors = tooLong(value, LABEL_BYTES_MAX, "characters");
  if (DNS_1035_LABEL_PATTERN.test(value)) return errors;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...errors, patternError(rule, DNS_1035_LABEL, ["my-name", "abc-123"])];
}

/** What is wrong with a qualified name ("example.com/MyName"): keys of labels and annotations, finalizers. */
export function validateQualifiedName(value: string): readonly string[] {
  if (rightNames.has(value)) return NOTHING_WRONG;
  const errors = qualifiedNameErrors(value);
  if (errors.length === 0 && rightNames.size < RIGHT_NAMES_MAX) rightNames.add(value);
  return errors;
}

/** Objects of a cluster have the same few keys: the first ones that were right are remembered. */
const rightNames = new Set<string>();
const RIGHT_NAMES_MAX = 1000;
const NOTHING_WRONG: readonly string[] = [];

function qualifiedNameErrors(value: string): readonly string[] {
  const parts = value.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) {
    const text = patternError(LABEL_KEY_RULE, LABEL_KEY, LABEL_KEY_EXAMPLES);
    return [`a valid label key ${text} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const prefixErrors = parts.length === 2 ? validatePrefix(parts[0] ?? "") : [];
  return [...prefixErrors, ...validateNamePart(name).map((error) => `name part ${error}`)];
}

/** What is wrong with the value of a label. */
export function validateLabelValue(value: string): readonly string[] {
  const errors = tooLong(value, LABEL_BYTES_MAX, "bytes");
  if (LABEL_VALUE_PATTERN.test(value)) return errors;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...errors, patternError(rule, LABEL_VALUE, ["MyValue", "my_value", "12345"])];
}

/** What is wrong with a name that only has to fit into a request path; RBAC objects are named so. */
export function validatePathSegment(value: string): readonly string[] {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  if (!value.includes("/") && !value.includes("%")) return NOTHING_WRONG;
  return ["/", "%"].filter((illegal) => value.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
}

/** What is wrong with a key in the data of a ConfigMap or Secret. */
export function validateConfigKey(value: string): readonly string[] {
  const errors = [...tooLong(value, SUBDOMAIN_BYTES_MAX, "characters")];
  const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  if (!CONFIG_KEY_PATTERN.test(value)) {
    errors.push(patternError(rule, CONFIG_KEY, ["key.name", "KEY_NAME", "key-name"]));
  }
  if (value === ".") errors.push("must not be '.'");
  else if (value === "..") errors.push("must not be '..'");
  else if (value.startsWith("..")) errors.push("must not start with '..'");
  return errors;
}

const LABEL_KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_KEY_EXAMPLES = ["MyName", "my.name", "123-abc"];

function validatePrefix(prefix: string): readonly string[] {
  const errors = prefix === "" ? ["must be non-empty"] : subdomainErrors(prefix, "bytes");
  return errors.map((error) => `prefix part ${error}`);
}

function validateNamePart(name: string): readonly string[] {
  const errors = name === "" ? ["must be non-empty"] : tooLong(name, LABEL_BYTES_MAX, "bytes");
  if (LABEL_KEY_PATTERN.test(name)) return errors;
  return [...errors, patternError(LABEL_KEY_RULE, LABEL_KEY, LABEL_KEY_EXAMPLES)];
}

/** Kubernetes counts bytes, and tells of characters where it has done so from the beginning. */
type LengthUnit = "bytes" | "characters";

function tooLong(value: string, bytesMax: number, unit: LengthUnit): readonly string[] {
  return utf8Length(value) > bytesMax ? [`must be no more than ${bytesMax} ${unit}`] : NOTHING_WRONG;
}

function patternError(rule: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`;
}

/** How many bytes a text takes as UTF-8, which is how Kubernetes measures lengths. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes, so each half adds one; other units from U+0800 on take three.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
