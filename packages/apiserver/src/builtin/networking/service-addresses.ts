/** IPAddresses, each with the one object that has it, and ServiceCIDRs, the ranges of which Services get theirs. */
import type { IPAddress, ParentReference, ServiceCIDR } from "@kubewright/api/networking/v1";
import { deepEqual, validatePathSegment } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import type { KindParticulars } from "../kind-strategy.ts";
import { canonicalIpErrors, isIpv4, isIpv6, validateCanonicalCidr } from "../validation/addresses.ts";
import { fieldInvalidStruct, validateImmutable, validateSubdomain } from "../validation/fields.ts";

const RANGES_MAX = 2;

/** What is particular to IPAddresses. */
export const ipAddressParticulars: KindParticulars = {
  nameErrors: (name) => canonicalIpErrors(name),
  validate: (object, current) => {
    const { spec } = object as unknown as IPAddress;
    const before = current as unknown as IPAddress | undefined;
    return [
      ...validateParent(spec?.parentRef),
      ...(before === undefined || deepEqual(spec?.parentRef, before.spec?.parentRef) ? [] : [parentChanged(spec)]),
    ];
  },
};

function parentChanged(spec: IPAddress["spec"]): FieldError {
  const { group = "", resource = "", namespace = "", name = "" } = spec?.parentRef ?? {};
  const shown = spec?.parentRef && { Group: group, Resource: resource, Namespace: namespace, Name: name };
  return fieldInvalidStruct("spec.parentRef", shown ?? null, "field is immutable");
}

function validateParent(parent: ParentReference | undefined): FieldError[] {
  if (parent === undefined) return [fieldRequired("spec.parentRef")];
  const { group = "", resource = "", name = "", namespace = "" } = parent;
  const segment = (field: string, value: string): FieldError[] =>
    validatePathSegment(value).map((text) => fieldInvalid(`spec.parentRef.${field}`, value, text));
  return [
    ...(group === "" ? [] : validateSubdomain("spec.parentRef.group", group)),
    ...(resource === "" ? [fieldRequired("spec.parentRef.resource")] : segment("resource", resource)),
    ...(name === "" ? [fieldRequired("spec.parentRef.name")] : segment("name", name)),
    ...(namespace === "" ? [] : segment("namespace", namespace)),
  ];
}

/** What is particular to ServiceCIDRs. */
export const serviceCidrParticulars: KindParticulars = {
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return [];
    const ranges = rangesOf(object as unknown as ServiceCIDR);
    return current === undefined
      ? validateRanges(ranges)
      : validateChange(ranges, rangesOf(current as unknown as ServiceCIDR));
  },
};

function rangesOf({ spec }: ServiceCIDR): readonly string[] {
  return spec?.cidrs ?? [];
}

function validateRanges(ranges: readonly string[]): FieldError[] {
  if (ranges.length === 0) return [fieldRequired("spec.cidrs", "at least one CIDR required")];
  if (ranges.length > RANGES_MAX) {
    return [fieldInvalidStruct("spec.cidrs", { CIDRs: ranges }, "may only hold up to 2 values")];
  }
  const errors = ranges.flatMap((range, index) => validateCanonicalCidr(`spec.cidrs[${index}]`, range));
  const [first, second] = ranges.map(versionOf);
  if (first === undefined || first !== second) return errors;
  const detail = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  return [...errors, fieldInvalid("spec.cidrs", [...ranges], detail)];
}

/** A range of the other version may be added, and nothing else changed. */
function validateChange(next: readonly string[], current: readonly string[]): FieldError[] {
  const isGrown = current.length === 1 && next.length === RANGES_MAX;
  if (!isGrown && next.length !== current.length) return validateImmutable("spec.cidrs", [...next], [...current]);
  const kept = current.flatMap((range, index) => validateImmutable(`spec.cidrs[${index}]`, next[index], range));
  return isGrown ? [...kept, ...validateRanges(next)] : kept;
}

function versionOf(range: string): 4 | 6 | undefined {
  const [address = ""] = range.split("/");
  if (isIpv4(address)) return 4;
  return isIpv6(address) ? 6 : undefined;
}
