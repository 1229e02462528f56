/** ip() and cidr(): addresses and networks, without zones and without IPv4 addresses in IPv6 clothes. */

import {
  type AddressBytes,
  formatIpAddress,
  isMappedIpv4,
  maskIpAddress,
  parseIpv4,
  parseIpv6,
} from "../../../meta/ip-address.ts";
import { quote } from "../../../protocol/go-format.ts";
import { CelError, noSuchOverload } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import type { Value } from "../values.ts";
import { concatenation, traversal } from "./costs.ts";
import { opaqueType } from "./opaque.ts";

interface Network {
  readonly address: AddressBytes;
  readonly bits: number;
}

const ipType = opaqueType<AddressBytes>("net.IP", formatIpAddress);
const cidrType = opaqueType<Network>("net.CIDR", ({ address, bits }) => `${formatIpAddress(address)}/${bits}`);

function parseAddress(text: string): AddressBytes | string {
  const strict = { leadingZeros: false };
  const [address = "", zone] = text.split("%");
  const bytes = address.includes(":") ? parseIpv6(address, strict) : parseIpv4(address, strict);
  if (bytes === undefined) {
    const zeros = parseIpv4(address, { leadingZeros: true }) !== undefined;
    const why = zeros ? "IPv4 field has octet with leading zero" : "unable to parse IP";
    return `IP Address ${quote(text)} parse error during conversion from string: ParseAddr(${quote(text)}): ${why}`;
  }
  if (zone !== undefined) return `IP address ${quote(text)} with zone value is not allowed`;
  return isMappedIpv4(bytes) ? `IPv4-mapped IPv6 address ${quote(text)} is not allowed` : bytes;
}

function parseNetwork(text: string): Network | string {
  const failed = (why: string): string => `network address parse error during conversion from string: ${why}`;
  const slash = text.lastIndexOf("/");
  if (slash < 0) return failed(`netip.ParsePrefix(${quote(text)}): no '/'`);
  const strict = { leadingZeros: false };
  const part = text.slice(0, slash);
  const address = part.includes(":") ? parseIpv6(part, strict) : parseIpv4(part, strict);
  if (address === undefined)
    return failed(`netip.ParsePrefix(${quote(text)}): ParseAddr(${quote(part)}): unable to parse IP`);
  const bits = text.slice(slash + 1);
  if (!/^(0|[1-9][0-9]{0,2})$/.test(bits))
    return failed(`netip.ParsePrefix(${quote(text)}): bad bits after slash: ${quote(bits)}`);
  if (Number(bits) > address.length * 8) return failed(`netip.ParsePrefix(${quote(text)}): prefix length out of range`);
  return isMappedIpv4(address)
    ? `IPv4-mapped IPv6 address ${quote(text)} is not allowed`
    : { address, bits: Number(bits) };
}

function addressOf(value: Value | undefined): AddressBytes {
  const parsed = parseAddress(value as string);
  if (typeof parsed === "string") throw new CelError(parsed);
  return parsed;
}

function networkOf(value: Value | undefined): Network {
  const parsed = parseNetwork(value as string);
  if (typeof parsed === "string")
    throw new CelError(`network address parse error during conversion from string: ${parsed}`);
  return parsed;
}

function contains({ address, bits }: Network, other: AddressBytes): boolean {
  return address.length === other.length && maskIpAddress(address, bits).join() === maskIpAddress(other, bits).join();
}

function containsNetwork(network: Network, other: Network): boolean {
  return network.bits <= other.bits && contains(network, other.address);
}

/** A text that is no address is a wrong argument, not a "no". */
function addressArgument(text: Value | undefined): AddressBytes {
  const parsed = parseAddress(text as string);
  if (typeof parsed === "string") throw noSuchOverload();
  return parsed;
}

const tests: Readonly<Record<string, (bytes: AddressBytes) => boolean>> = {
  isUnspecified: (bytes) => bytes.every((byte) => byte === 0),
  isLoopback: (bytes) => (bytes.length === 4 ? bytes[0] === 127 : formatIpAddress(bytes) === "::1"),
  isLinkLocalMulticast: (bytes) =>
    bytes.length === 4
      ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
      : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2,
  isLinkLocalUnicast: (bytes) =>
    bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80,
  isGlobalUnicast,
};

function isGlobalUnicast(bytes: AddressBytes): boolean {
  const isMulticast = bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
  const isBroadcast = bytes.length === 4 && bytes.every((byte) => byte === 255);
  const local = ["isUnspecified", "isLoopback", "isLinkLocalUnicast"].some((name) => tests[name]?.(bytes));
  return !isMulticast && !isBroadcast && !local;
}

/** All functions on addresses and networks. */
export const addresses: readonly Declaration[] = [
  declare("ip(string) net.IP", ([text]) => ipType.make(addressOf(text)), traversal()),
  declare("isIP(string) bool", ([text]) => typeof parseAddress(text as string) !== "string", traversal()),
  declare("ip.isCanonical(string) bool", ([text]) => formatIpAddress(addressOf(text)) === text, traversal(2)),
  declare("string(net.IP) string", ([ip]) => formatIpAddress(ipType.dataOf(ip))),
  declare("net.IP->family() int", ([ip]) => (ipType.dataOf(ip).length === 4 ? 4n : 6n)),
  ...Object.entries(tests).map(([name, test]) => declare(`net.IP->${name}() bool`, ([ip]) => test(ipType.dataOf(ip)))),
  declare("cidr(string) net.CIDR", ([text]) => cidrType.make(networkOf(text)), traversal()),
  declare("isCIDR(string) bool", ([text]) => typeof parseNetwork(text as string) !== "string", traversal()),
  declare("string(net.CIDR) string", ([cidr]) => {
    const { address, bits } = cidrType.dataOf(cidr);
    return `${formatIpAddress(address)}/${bits}`;
  }),
  declare("net.CIDR->containsIP(net.IP) bool", ([cidr, ip]) => contains(cidrType.dataOf(cidr), ipType.dataOf(ip))),
  declare(
    "net.CIDR->containsIP(string) bool",
    ([cidr, ip]) => contains(cidrType.dataOf(cidr), addressArgument(ip)),
    concatenation,
  ),
  declare("net.CIDR->containsCIDR(net.CIDR) bool", ([cidr, other]) =>
    containsNetwork(cidrType.dataOf(cidr), cidrType.dataOf(other)),
  ),
  declare(
    "net.CIDR->containsCIDR(string) bool",
    ([cidr, other]) => containsNetwork(cidrType.dataOf(cidr), networkOf(other)),
    concatenation,
  ),
  declare("net.CIDR->ip() net.IP", ([cidr]) => ipType.make(cidrType.dataOf(cidr).address)),
  declare("net.CIDR->prefixLength() int", ([cidr]) => BigInt(cidrType.dataOf(cidr).bits)),
  declare("net.CIDR->masked() net.CIDR", ([cidr]) => {
    const { address, bits } = cidrType.dataOf(cidr);
    return cidrType.make({ address: maskIpAddress(address, bits), bits });
  }),
];
