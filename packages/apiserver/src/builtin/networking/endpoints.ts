/** EndpointSlices and the older Endpoints. */
import type { EndpointSubset, Endpoints } from "@kubewright/api/core/v1";
import type { Endpoint, EndpointPort, EndpointSlice } from "@kubewright/api/discovery/v1";
import { deepEqual, validateDnsSubdomain, validateLabelValue } from "@kubewright/core/meta";
import { type FieldError, fieldDuplicate, fieldInvalid, fieldRequired, fieldTooMany } from "@kubewright/core/protocol";
import type { KindParticulars } from "../kind-strategy.ts";
import { isIpv4, isIpv6, validateEndpointIp, validateIp } from "../validation/addresses.ts";
import {
  validateImmutable,
  validateLabelName,
  validatePort,
  validateQualified,
  validateSubdomain,
} from "../validation/fields.ts";

const ENDPOINTS_MAX = 1000;
const PORTS_MAX = 20_000;
const ADDRESSES_MAX = 100;
const HINTS_MAX = 8;

/** What is particular to EndpointSlices. */
export const endpointSliceParticulars: KindParticulars = {
  generation: true,
  changesGeneration: (next, current) =>
    !deepEqual({ ...next, metadata: {} }, { ...current, metadata: {} }) ||
    !deepEqual(next.metadata.labels ?? {}, current.metadata.labels ?? {}),
  warnings: (object, current) =>
    current === undefined && object["addressType"] === "FQDN"
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : [],
  validate: (object, current) => {
    const slice = object as unknown as EndpointSlice;
    const before = (current as unknown as EndpointSlice | undefined)?.addressType;
    const isKept = current !== undefined && deepEqual(object["endpoints"], current["endpoints"]);
    return [
      ...validatePorts(slice.ports ?? []),
      ...(isKept ? [] : validateEndpoints(slice.endpoints ?? [], slice.addressType)),
      ...((slice.addressType as string) === "" ? [fieldRequired("addressType")] : []),
      ...(before === undefined ? [] : validateImmutable("addressType", slice.addressType, before)),
    ];
  },
};

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > PORTS_MAX) return [fieldTooMany("ports", ports.length, PORTS_MAX)];
  const names = new Set<string>();
  return ports.flatMap(({ name = "", appProtocol }, index) => {
    const at = `ports[${index}].name`;
    const errors = [
      ...(name === "" ? [] : validateLabelName(at, name)),
      ...(names.has(name) ? [fieldDuplicate(at, name)] : []),
      ...(appProtocol === undefined ? [] : validateQualified(`ports[${index}].appProtocol`, appProtocol)),
    ];
    names.add(name);
    return errors;
  });
}

function validateEndpoints(endpoints: readonly Endpoint[], type: string): FieldError[] {
  if (endpoints.length > ENDPOINTS_MAX) return [fieldTooMany("endpoints", endpoints.length, ENDPOINTS_MAX)];
  return endpoints.flatMap(({ addresses = [], nodeName, hostname, hints }, index) => {
    const at = `endpoints[${index}]`;
    return [
      ...(addresses.length === 0 ? [fieldRequired(`${at}.addresses`, "must contain at least 1 address")] : []),
      ...(addresses.length > ADDRESSES_MAX
        ? [fieldTooMany(`${at}.addresses`, addresses.length, ADDRESSES_MAX)]
        : addresses.flatMap((address, item) => validateAddress(`${at}.addresses[${item}]`, address, type))),
      ...(nodeName === undefined ? [] : validateSubdomain(`${at}.nodeName`, nodeName)),
      ...(hostname === undefined ? [] : validateLabelName(`${at}.hostname`, hostname)),
      ...validateHints(`${at}.hints.forZones`, hints?.forZones ?? [], validateLabelValue),
      ...validateHints(`${at}.hints.forNodes`, hints?.forNodes ?? [], validateDnsSubdomain),
    ];
  });
}

function validateHints(
  field: string,
  hints: readonly { readonly name: string }[],
  nameErrors: (name: string) => readonly string[],
): FieldError[] {
  if (hints.length > HINTS_MAX) return [fieldTooMany(field, hints.length, HINTS_MAX)];
  return hints.flatMap(({ name }, index) => [
    ...(hints.findIndex((hint) => hint.name === name) < index ? [fieldDuplicate(`${field}[${index}].name`, name)] : []),
    ...nameErrors(name).map((text) => fieldInvalid(`${field}[${index}].name`, name, text)),
  ]);
}

function validateDomain(field: string, address: string): FieldError[] {
  const domain = address.replace(/\.$/, "");
  const errors = validateSubdomain(field, domain);
  if (errors.length > 0 || domain.includes(".")) return errors;
  return [fieldInvalid(field, address, "should be a domain with at least two segments separated by dots")];
}

function validateAddress(field: string, address: string, type: string): FieldError[] {
  if (type === "FQDN") return validateDomain(field, address);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const errors = validateIp(field, address);
  if (errors.length > 0) return errors;
  const isOfType = type === "IPv4" ? isIpv4(address) : isIpv6(address);
  const list = field.replace(/\[\d+\]$/, "");
  return [
    ...(isOfType ? [] : [fieldInvalid(list, address, `must be an ${type} address`)]),
    ...validateEndpointIp(field, address),
  ];
}

/** What is particular to Endpoints. */
export const endpointsParticulars: KindParticulars = {
  createOnUpdate: true,
  validate: (object) =>
    ((object as unknown as Endpoints).subsets ?? []).flatMap((subset, index) =>
      validateSubset(`subsets[${index}]`, subset),
    ),
};

function validateSubset(
  at: string,
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
): FieldError[] {
  const lists = [
    ["addresses", addresses],
    ["notReadyAddresses", notReadyAddresses],
  ] as const;
  return [
    ...(addresses.length + notReadyAddresses.length === 0
      ? [fieldRequired(at, "must specify `addresses` or `notReadyAddresses`")]
      : []),
    ...lists.flatMap(([name, list]) =>
      list.flatMap(({ ip }, index) => {
        const field = `${at}.${name}[${index}].ip`;
        const errors = validateIp(field, ip);
        return errors.length > 0 ? errors : validateEndpointIp(field, ip);
      }),
    ),
    ...ports.flatMap(({ name = "", port }, index) => [
      ...(name === "" && ports.length > 1 ? [fieldRequired(`${at}.ports[${index}].name`)] : []),
      ...(name === "" ? [] : validateLabelName(`${at}.ports[${index}].name`, name)),
      ...validatePort(`${at}.ports[${index}].port`, port),
    ]),
  ];
}
