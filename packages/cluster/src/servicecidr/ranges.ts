/** Ranges of addresses and what they contain. Pure. */
import type { IPAddress, ServiceCIDR } from "@kubewright/api/networking/v1";
import { type AddressBytes, maskIpAddress, parseIpv4, parseIpv6 } from "@kubewright/core/meta";

const MANAGED_BY = "ipaddress.kubernetes.io/managed-by";

/** What there is beside a range. */
export interface Surroundings {
  /** All ranges, itself included. */
  readonly ranges: readonly ServiceCIDR[];
  readonly addresses: readonly IPAddress[];
}

/** True when nothing is lost with the range: others contain all of it, or all addresses of Services that are in it. */
export function isDispensable(range: ServiceCIDR, { ranges, addresses }: Surroundings): boolean {
  const others = ranges.filter(({ metadata }) => metadata?.name !== range.metadata?.name).flatMap(prefixesOf);
  const own = prefixesOf(range);
  if (own.every((prefix) => others.some((other) => other.bits <= prefix.bits && contains(other, prefix.address)))) {
    return true;
  }
  return addresses
    .filter(({ metadata }) => metadata?.labels?.[MANAGED_BY] === "ipallocator.k8s.io")
    .map(({ metadata }) => parse(metadata?.name ?? ""))
    .filter((address) => address !== undefined && own.some((prefix) => contains(prefix, address)))
    .every((address) => address !== undefined && others.some((prefix) => contains(prefix, address)));
}

interface Prefix {
  readonly address: AddressBytes;
  readonly bits: number;
}

function prefixesOf({ spec }: ServiceCIDR): readonly Prefix[] {
  return (spec?.cidrs ?? []).flatMap((text) => {
    const [start = "", bits = ""] = text.split("/");
    const address = parse(start);
    return address === undefined ? [] : [{ address, bits: Number(bits) }];
  });
}

function parse(text: string): AddressBytes | undefined {
  const strict = { leadingZeros: false };
  return parseIpv4(text, strict) ?? parseIpv6(text, strict);
}

function contains({ address, bits }: Prefix, other: AddressBytes): boolean {
  return address.length === other.length && maskIpAddress(other, bits).join() === maskIpAddress(address, bits).join();
}
