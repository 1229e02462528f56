/**
 * LimitRanger: the LimitRanges of a namespace fill in what containers of new pods ask for and are limited to, and refuse
 * pods and claims beyond their bounds.
 */
import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { compareQuantities, formatQuantity, parseQuantity, quantityToNumber } from "@kubewright/core/meta";
import { type ApiObject, withFields, withMetadata } from "../../resource/object.ts";
import { podResources, type ResourceList, resourceList } from "../../resource/resource-list.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

/** The plugin. */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  resources: new Set(["pods", "persistentvolumeclaims"]),
  mutate(object, request) {
    if (!isConcerned(request) || request.resource.storageName !== "pods" || request.operation !== "CREATE")
      return object;
    return rangesOf(request).reduce(fillPod, object);
  },
  validate(request) {
    const { object } = request;
    if (object === undefined || !isConcerned(request)) return;
    const errors = rangesOf(request).flatMap((range) => check(range, object, request.resource.storageName));
    if (errors.length === 0) return;
    throw refusal(request, errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`);
  },
};

function isConcerned({ resource, subresource, operation }: AdmissionRequest): boolean {
  if (resource.storageName === "pods" && operation === "UPDATE") return subresource === "resize";
  return subresource === "" && (operation === "CREATE" || operation === "UPDATE");
}

function rangesOf({ reader, namespace }: AdmissionRequest): readonly LimitRange[] {
  return reader.list("limitranges", namespace) as unknown as readonly LimitRange[];
}

function itemsOf({ spec }: LimitRange, type: string): readonly LimitRangeItem[] {
  return (spec?.limits ?? []).filter((item) => item.type === type);
}

function fillPod(pod: ApiObject, range: LimitRange): ApiObject {
  const items = itemsOf(range, "Container");
  const requests = Object.assign({}, ...items.map((item) => item.defaultRequest ?? {}));
  const limits = Object.assign({}, ...items.map((item) => item.default ?? {}));
  const { spec } = pod as unknown as Pod;
  const notes: string[] = [];
  const fill = (containers: readonly Container[] | undefined, what: string): Container[] | undefined =>
    containers?.map((container) => fillContainer(container, { requests, limits }, { what, notes }));
  const containers = fill(spec?.containers, "container");
  const initContainers = fill(spec?.initContainers, "init container");
  if (notes.length === 0) return pod;
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${notes.join("; ")}` };
  const filled = { ...spec, containers, ...(initContainers === undefined ? {} : { initContainers }) };
  return withFields(withMetadata(pod, { annotations }), { spec: filled as unknown as ApiObject });
}

type Amounts = Readonly<Record<string, string>>;

function fillContainer(
  container: Container,
  defaults: { readonly requests: Amounts; readonly limits: Amounts },
  { what, notes }: { readonly what: string; readonly notes: string[] },
): Container {
  const { requests = {}, limits = {} } = container.resources ?? {};
  const note = (given: object, wanted: Amounts, which: string): void => {
    const missing = Object.keys(wanted).filter((name) => !Object.hasOwn(given, name));
    if (missing.length > 0) notes.push(`${missing.sort().join(", ")} ${which} for ${what} ${container.name}`);
  };
  note(requests, defaults.requests, "request");
  note(limits, defaults.limits, "limit");
  const resources = {
    ...container.resources,
    requests: { ...defaults.requests, ...requests },
    limits: { ...defaults.limits, ...limits },
  };
  return { ...container, resources };
}

function check(range: LimitRange, object: ApiObject, resource: string): readonly string[] {
  if (resource === "persistentvolumeclaims") return checkClaim(range, object as unknown as PersistentVolumeClaim);
  const { spec } = object as unknown as Pod;
  if (spec === undefined) return [];
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const used = { requests: podResources(spec, "requests"), limits: podResources(spec, "limits") };
  return (range.spec?.limits ?? []).flatMap((item) => {
    if (item.type === "Pod") return checkItem(item, used);
    if (item.type !== "Container") return [];
    return containers.flatMap(({ resources }) =>
      checkItem(item, { requests: resourceList(resources?.requests), limits: resourceList(resources?.limits) }),
    );
  });
}

interface Used {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

function checkItem(item: LimitRangeItem, used: Used): readonly string[] {
  const each = (amounts: Amounts | undefined, bound: typeof minError): readonly string[] =>
    Object.entries(amounts ?? {}).flatMap(([name, amount]) => bound(item.type, { name, amount }, used) ?? []);
  return [...each(item.min, minError), ...each(item.max, maxError), ...each(item.maxLimitRequestRatio, ratioError)];
}

function checkClaim(range: LimitRange, { spec }: PersistentVolumeClaim): readonly string[] {
  const used = { requests: resourceList(spec?.resources?.requests), limits: new Map() };
  return itemsOf(range, "PersistentVolumeClaim").flatMap((item) => [
    ...Object.entries(item.min ?? {}).flatMap(([name, amount]) => minError(item.type, { name, amount }, used) ?? []),
    ...Object.entries(item.max ?? {}).flatMap(
      ([name, amount]) => maxRequestError(item.type, { name, amount }, used) ?? [],
    ),
  ]);
}

interface Bound {
  readonly name: string;
  readonly amount: string;
}

function minError(type: string, { name, amount }: Bound, { requests, limits }: Used): string | undefined {
  const bound = parseQuantity(amount);
  const text = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (request === undefined) return `${text}.  No request is specified`;
  if (compareQuantities(request, bound) < 0) return `${text}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && compareQuantities(limit, bound) < 0)
    return `${text}, but limit is ${formatQuantity(limit)}`;
  return undefined;
}

function maxError(type: string, { name, amount }: Bound, { requests, limits }: Used): string | undefined {
  const bound = parseQuantity(amount);
  const text = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (limit === undefined) return `${text}.  No limit is specified`;
  if (compareQuantities(limit, bound) > 0) return `${text}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && compareQuantities(request, bound) > 0) {
    return `${text}, but request is ${formatQuantity(request)}`;
  }
  return undefined;
}

function maxRequestError(type: string, { name, amount }: Bound, { requests }: Used): string | undefined {
  const bound = parseQuantity(amount);
  const text = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  const request = requests.get(name);
  if (request === undefined) return `${text}.  No request is specified`;
  return compareQuantities(request, bound) > 0 ? `${text}, but request is ${formatQuantity(request)}` : undefined;
}

function ratioError(type: string, { name, amount }: Bound, { requests, limits }: Used): string | undefined {
  const bound = parseQuantity(amount);
  const text = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (request === undefined || request.mantissa === 0n) return `${text}, but no request is specified or request is 0`;
  if (limit === undefined || limit.mantissa === 0n) return `${text}, but no limit is specified or limit is 0`;
  const ratio = quantityToNumber(limit) / quantityToNumber(request);
  return ratio > quantityToNumber(bound) ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
