/**
 * IP addresses as Go's net package parses them (the sloppy IPv4 variant tolerates leading zeros). Used by formats, by the
 * ip() and cidr() functions of CEL, and by whoever validates addresses.
 */

/** An address as its bytes: 4 or 16 of them. */
export type AddressBytes = readonly number[];

/** The four bytes of a dotted address; undefined when it is not one. */
export function parseIpv4(text: string, options: { readonly leadingZeros: boolean }): AddressBytes | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const bytes = parts.map((part) => {
    const wellFormed = options.leadingZeros ? /^[0-9]{1,16}$/.test(part) : /^(0|[1-9][0-9]{0,2})$/.test(part);
    return wellFormed ? Number(part) : 256;
  });
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/** The sixteen bytes of an IPv6 address, which may end in a dotted IPv4 address; undefined when it is not one. */
export function parseIpv6(text: string, options: { readonly leadingZeros: boolean }): AddressBytes | undefined {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return undefined;
  const front = parseGroups(head, options, tail === undefined);
  const back = tail === undefined ? [] : parseGroups(tail, options, true);
  if (front === undefined || back === undefined) return undefined;
  const missing = 16 - front.length - back.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...front, ...new Array<number>(missing).fill(0), ...back];
}

/** An address in its one canonical form (RFC 5952). */
export function formatIpAddress(bytes: AddressBytes): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(":");
  return `${groups.slice(0, run.start).join(":")}::${groups.slice(run.start + run.length).join(":")}`;
}

/** True for an IPv4 address in IPv6 clothes. */
export function isMappedIpv4(bytes: AddressBytes): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** The address with all bits behind the first ones unset. */
export function maskIpAddress(address: AddressBytes, bits: number): AddressBytes {
  return address.map((byte, index) => byte & (0xff << (8 - Math.min(8, Math.max(0, bits - index * 8)))) & 0xff);
}

function parseGroups(text: string, options: { readonly leadingZeros: boolean }, last: boolean): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    if (group.includes(".")) {
      const dotted = last && index === groups.length - 1 ? parseIpv4(group, options) : undefined;
      if (dotted === undefined) return undefined;
      bytes.push(...dotted);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else {
      return undefined;
    }
  }
  return bytes;
}

function longestZeroRun(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === "0") length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}
