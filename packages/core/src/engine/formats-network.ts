/** Whether texts are addresses of the formats ipv4, ipv6, cidr and mac, as Go's net package has them. */
import { parseIpv4, parseIpv6 } from "../meta/ip-address.ts";

/** True for dotted IPv4 addresses, and for IPv6 addresses that hold one, as Go's lenient parser has it. */
export function isIpv4(text: string): boolean {
  const leadingZeros = { leadingZeros: true };
  return text.includes(".") && (parseIpv4(text, leadingZeros) ?? parseIpv6(text, leadingZeros)) !== undefined;
}

/** True for IPv6 addresses without a zone. */
export function isIpv6(text: string): boolean {
  return parseIpv6(text, { leadingZeros: false }) !== undefined;
}

/** True for `address/bits`. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const leadingZeros = { leadingZeros: true };
  const bytes = parseIpv4(address, leadingZeros) ?? parseIpv6(address, leadingZeros);
  const bits = text.slice(slash + 1);
  return bytes !== undefined && /^[0-9]{1,3}$/.test(bits) && Number(bits) <= bytes.length * 8;
}

/** True for 6, 8 or 20 byte hardware addresses in Go's three spellings. */
export function isMac(text: string): boolean {
  const pair = "[0-9a-fA-F]{2}";
  return [6, 8, 20].some(
    (bytes) =>
      new RegExp(`^${pair}([:-])${pair}(\\1${pair}){${bytes - 2}}$`).test(text) ||
      new RegExp(`^[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){${bytes / 2 - 1}}$`).test(text),
  );
}
