/** IP addresses and ranges as the API takes them. */
import {
  type AddressBytes,
  formatIpAddress,
  isMappedIpv4,
  maskIpAddress,
  parseIpv4,
  parseIpv6,
} from "@kubewright/core/meta";
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";

const STRICT = { leadingZeros: false };
const SLOPPY = { leadingZeros: true };

/** True for IPv4 and IPv6 addresses. */
export function isIpAddress(address: string): boolean {
  return isIpv4(address) || isIpv6(address);
}

/** True for IPv4 addresses in the one form that has no leading zeros. */
export function isIpv4(address: string): boolean {
  return parseIpv4(address, STRICT) !== undefined;
}

/** True for IPv6 addresses without a zone. */
export function isIpv6(address: string): boolean {
  return parseIpv6(address, STRICT) !== undefined;
}

/** An address. */
export function validateIp(field: string, address: string): FieldError[] {
  return ipErrors(address).map((detail) => fieldInvalid(field, address, detail));
}

/** Why a text is no address. */
function ipErrors(address: string): string[] {
  const bytes = parseAddress(address, SLOPPY);
  if (bytes === undefined) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (!isIpAddress(address)) return ["must not have leading 0s"];
  return isMappedIpv4(bytes) ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

/** Why a text is no address in its canonical form, which fields of newer kinds must have. */
export function canonicalIpErrors(address: string): string[] {
  const errors = ipErrors(address);
  const bytes = parseAddress(address, STRICT);
  if (errors.length > 0 || bytes === undefined) return errors;
  const canonical = formatIpAddress(bytes);
  return canonical === address ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}

/** A range: an address, a slash and the length of the common prefix. */
export function validateCidr(field: string, range: string): FieldError[] {
  return cidrErrors(range).map((detail) => fieldInvalid(field, range, detail));
}

/** A range in its canonical form, which fields of newer kinds must have. */
export function validateCanonicalCidr(field: string, range: string): FieldError[] {
  const errors = validateCidr(field, range);
  const [address = "", length = ""] = range.split("/");
  const bytes = parseAddress(address, STRICT);
  if (errors.length > 0 || bytes === undefined) return errors;
  const canonical = `${formatIpAddress(bytes)}/${length}`;
  if (canonical === range) return [];
  return [fieldInvalid(field, range, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

function cidrErrors(range: string): string[] {
  const parsed = parseRange(range);
  if (parsed === undefined) return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  const { bytes } = parsed;
  const [address = "", length = ""] = range.split("/");
  if (!isIpAddress(address) || /^0\d/.test(length)) return ["must not have leading 0s in IP or prefix length"];
  if (isMappedIpv4(bytes)) return ["must not have an IPv4-mapped IPv6 address"];
  const isMasked = maskIpAddress(bytes, Number(length)).every((byte, index) => byte === bytes[index]);
  return isMasked ? [] : ["must not have bits set beyond the prefix length"];
}

/** Whether a text is a range, in whatever form. */
export function isRange(range: string): boolean {
  return parseRange(range) !== undefined;
}

/** Whether a range is a part of another, and not all of it; undefined when either is no range. */
export function isStrictPart(range: string, whole: string): boolean | undefined {
  const [inner, outer] = [parseRange(range), parseRange(whole)];
  if (inner === undefined || outer === undefined) return undefined;
  if (inner.bytes.length !== outer.bytes.length || inner.length <= outer.length) return false;
  const network = maskIpAddress(outer.bytes, outer.length);
  return maskIpAddress(inner.bytes, outer.length).every((byte, index) => byte === network[index]);
}

function parseRange(range: string): { readonly bytes: AddressBytes; readonly length: number } | undefined {
  const [address = "", length = "", ...rest] = range.split("/");
  const bytes = parseAddress(address, SLOPPY);
  if (bytes === undefined || !/^\d+$/.test(length) || Number(length) > bytes.length * 8 || rest.length > 0) return;
  return { bytes, length: Number(length) };
}

function parseAddress(address: string, options: typeof STRICT): AddressBytes | undefined {
  return parseIpv4(address, options) ?? parseIpv6(address, options);
}

/** An address that other machines can be reached at. */
export function validateEndpointIp(field: string, address: string): FieldError[] {
  const detail = specialAddress(address);
  return detail === undefined ? [] : [fieldInvalid(field, address, detail)];
}

function specialAddress(address: string): string | undefined {
  if (address === "0.0.0.0" || address === "::") return `may not be unspecified (${address})`;
  if (address.startsWith("127.") || address === "::1") return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
  if (address.startsWith("169.254.") || /^fe[89ab]/i.test(address)) {
    return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
  }
  if (address.startsWith("224.0.0.") || /^ff02:/i.test(address)) {
    return "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)";
  }
  return undefined;
}
