/**
 * ResourceQuota: what a request adds is checked against status.hard and charged to status.used before the object is
 * stored. A controller sets status.hard and corrects status.used when objects go; until it did, a quota limits nothing.
 * The last plugin, so that nothing is charged that another would refuse.
 */
import type { Pod, ResourceQuota } from "@kubewright/api/core/v1";
import { compareQuantities, formatQuantity } from "@kubewright/core/meta";
import { type ApiObject, encodeObject, withFields } from "../../resource/object.ts";
import { addLists, excessOf, formatList, type ResourceList, resourceList } from "../../resource/resource-list.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";
import { isInScopes, unstatedResources, usageOf } from "./quota-usage.ts";

const QUOTAS = "resourcequotas";

/** Makes the plugin. */
export function resourceQuota(storage: Storage): AdmissionPlugin {
  return {
    name: "ResourceQuota",
    validate(request) {
      const { object, namespace, reader } = request;
      if (object === undefined || namespace === "" || !isCharged(request)) return;
      const quotas = reader.list(QUOTAS, namespace);
      if (quotas.length === 0) return;
      const charges = quotas.flatMap((quota) => chargeOf(quota, { ...request, object }) ?? []);
      // All are checked before any is charged, and nothing can come in between.
      if (!request.dryRun) for (const charge of charges) commit(storage, charge);
    },
  };
}

type Written = AdmissionRequest & { readonly object: ApiObject };

/** Pods change what they use only by being resized; services and claims by any update. */
function isCharged({
  operation,
  resource: { storageName },
  subresource,
  object,
  oldObject,
}: AdmissionRequest): boolean {
  if (subresource !== "") return storageName === "pods" && subresource === "resize" && operation === "UPDATE";
  if (operation === "CREATE") return true;
  if (operation !== "UPDATE") return false;
  if (storageName === "services" || storageName === "persistentvolumeclaims") return true;
  return storageName === "pods" && deadlineOf(object) !== deadlineOf(oldObject);
}

function deadlineOf(pod: ApiObject | undefined): boolean {
  return (pod as unknown as Pod | undefined)?.spec?.activeDeadlineSeconds != null;
}

interface Charge {
  readonly quota: ApiObject;
  readonly used: ResourceList;
}

/** What the request makes of a quota's usage; undefined when nothing. Throws a 403 when that is too much. */
function chargeOf(quota: ApiObject, request: Written): Charge | undefined {
  const typed = quota as unknown as ResourceQuota;
  const { object, oldObject, operation, resource } = request;
  const name = quota.metadata.name ?? "";
  const hard = resourceList(typed.status?.hard);
  const used = resourceList(typed.status?.used);
  if (!isInScopes(typed, resource.storageName, object)) return undefined;
  const usage = usageOf(resource.storageName, object);
  const limited = [...hard.keys()].filter((each) => usage.has(each) || isPodName(resource.storageName, each));
  if (limited.length === 0) return undefined;
  requireStated(request, name, limited);
  if (limited.some((each) => !used.has(each))) {
    throw refusal(request, `status unknown for quota: ${name}, resources: ${limited.sort().join(",")}`);
  }
  const wasCharged =
    operation === "UPDATE" && oldObject !== undefined && isInScopes(typed, resource.storageName, oldObject);
  const added = wasCharged ? excessOf(usage, usageOf(resource.storageName, oldObject)) : usage;
  const requested = new Map([...added].filter(([each, amount]) => hard.has(each) && amount.mantissa !== 0n));
  if (requested.size === 0) return undefined;
  const total = addLists(used, requested);
  requireWithin(request, name, { requested, used, total, hard });
  return { quota, used: total };
}

function isPodName(resource: string, name: string): boolean {
  return resource === "pods" && /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/.test(name);
}

function requireStated(request: Written, quota: string, limited: readonly string[]): void {
  if (request.resource.storageName !== "pods") return;
  const unstated = unstatedResources(request.object as unknown as Pod, limited);
  if (unstated !== "") throw refusal(request, `failed quota: ${quota}: must specify ${unstated}`);
}

interface Amounts {
  readonly requested: ResourceList;
  readonly used: ResourceList;
  readonly total: ResourceList;
  readonly hard: ResourceList;
}

function requireWithin(request: Written, quota: string, { requested, used, total, hard }: Amounts): void {
  const exceeded = [...requested.keys()].filter((name) => {
    const amount = total.get(name);
    const bound = hard.get(name);
    return amount !== undefined && bound !== undefined && compareQuantities(amount, bound) > 0;
  });
  if (exceeded.length === 0) return;
  const list = (amounts: ResourceList): string => formatList(amounts, exceeded);
  const why = `requested: ${list(requested)}, used: ${list(used)}, limited: ${list(hard)}`;
  throw refusal(request, `exceeded quota: ${quota}, ${why}`);
}

function commit(storage: Storage, { quota, used }: Charge): void {
  const { name = "", namespace = "", resourceVersion = "0" } = quota.metadata;
  const status = quota["status"] as ApiObject;
  const amounts = Object.fromEntries(Array.from(used, ([each, amount]) => [each, formatQuantity(amount)]));
  const charged = withFields(quota, { status: { ...status, used: amounts } });
  storage.commit({
    resource: QUOTAS,
    key: `${namespace}/${name}`,
    operation: "put",
    expected: Number(resourceVersion),
    encode: (revision) => encodeObject(charged, revision),
  });
}
