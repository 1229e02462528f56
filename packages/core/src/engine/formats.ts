/**
 * The string formats that Kubernetes checks in CRD schemas, with its own leniencies (Go's parsers, not the RFCs).
 * validate.ts asks `checkFormat`; a format that is not listed here is ignored, as the API server ignores it.
 */
import { isCidr, isIpv4, isIpv6, isMac } from "./formats-network.ts";
import { isEmail, isRequestUri } from "./formats-text.ts";
import { isDate, isDateTime, isDurationText } from "./formats-time.ts";

type Check = (text: string) => boolean;

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const rgbPart = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
const rgbColor = new RegExp(`^rgb\\(${rgbPart},${rgbPart},${rgbPart}\\)$`);

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["bsonobjectid", (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text)],
  ["uuid3", (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text)],
  ["uuid4", (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text)],
  ["uuid5", (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ["rgbcolor", (text) => rgbColor.test(text)],
  ["byte", isBase64],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDurationText],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => text.length <= 63 && shortName.test(text)],
  ["k8slongname", (text) => text.length <= 253 && text.split(".").every((label) => shortName.test(label))],
]);

/** The format that applies to a schema of `type` (undefined: several or none), or "" when Kubernetes ignores it. */
export function effectiveFormat(format: string | undefined, type: string | undefined): string {
  if (format === undefined) return "";
  if (type === undefined || type === "string") return checks.has(normalize(format)) ? format : "";
  if (type === "integer") return format === "int32" || format === "int64" ? format : "";
  return type === "number" && (format === "float" || format === "double") ? format : "";
}

/** Whether the text has the format; undefined when the format says nothing about texts. */
export function checkFormat(format: string, text: string): boolean | undefined {
  return checks.get(normalize(format))?.(text);
}

function normalize(format: string): string {
  return format.replaceAll("-", "");
}

function isHostname(text: string): boolean {
  // The length is checked first: the expression backtracks on long texts, and no longer text can be valid.
  if (byteLength(text) > 255) return false;
  return hostname.test(text) && text.split(".").every((label) => byteLength(label) <= 63);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!creditCard.test(digits)) return false;
  let sum = 0;
  for (const [position, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (position % 2 === 1 ? 2 : 1);
    sum += value >= 10 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}
