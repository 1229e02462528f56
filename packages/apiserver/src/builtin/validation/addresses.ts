/** IP addresses and ranges as the API takes them: in canonical form only. */
import { parseIpv4, parseIpv6 } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";

const STRICT = { leadingZeros: false };

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
  if (isIpAddress(address)) return [];
  return [fieldInvalid(field, address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

/** A range: an address, a slash and the length of the common prefix. */
export function validateCidr(field: string, range: string): FieldError[] {
  const [address = "", length = "", ...rest] = range.split("/");
  const bits = isIpv4(address) ? 32 : 128;
  const isRange =
    isIpAddress(address) && /^(?:0|[1-9]\d*)$/.test(length) && Number(length) <= bits && rest.length === 0;
  if (isRange) return [];
  return [fieldInvalid(field, range, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
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
