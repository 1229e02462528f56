/**
 * POST of an Eviction: deletes a pod unless a PodDisruptionBudget is against it. A budget that allows it is charged in
 * the same moment, so two evictions never share one allowance.
 */
import type { Pod } from "@kubewright/api/core/v1";
import type { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { formatTime, isJsonObject } from "@kubewright/core/meta";
import {
  type ApiError,
  apiError,
  badRequest,
  internalError,
  notFound,
  type PropagationPolicy,
} from "@kubewright/core/protocol";
import { selects } from "../builtin/validation/label-selectors.ts";
import type { ResourceCall } from "../endpoints/call.ts";
import { negotiate } from "../endpoints/representation.ts";
import { respondStatus } from "../endpoints/respond.ts";
import { toWriteRequest } from "../endpoints/write-options.ts";
import { type DeleteOptions, deleteObject } from "../registry/delete.ts";
import { shapeOf } from "../registry/shape.ts";
import { updateObject } from "../registry/update.ts";
import type { WriteRequest } from "../registry/write-request.ts";
import { bareError } from "../request/bare-error.ts";
import type { ApiResponse } from "../request/request.ts";
import { type ApiObject, withFields } from "../resource/object.ts";
import { admitBody } from "./admit-request.ts";
import { decodeAs } from "./decode-as.ts";
import { succeeded } from "./success.ts";

const EVICTION = { group: "policy", version: "v1", kind: "Eviction" };
const BUDGETS = "poddisruptionbudgets.policy";
const CAUSE = "DisruptionBudget";
const RETRY_SECONDS = 10;
const ALLOWED = "DisruptionAllowed";

/** Serves "create" of pods/eviction. */
export async function handleEviction(call: ResourceCall): Promise<ApiResponse> {
  const { info, backend } = call;
  const representation = negotiate(call);
  const sent = await decodeAs({ ...call, info: { ...call.info, name: "" } }, EVICTION, ["policy/v1beta1"]);
  if (sent.metadata.name !== info.name) throw badRequest("name in URL does not match name in Eviction object");
  const write = await toWriteRequest(call, "CreateOptions");
  const eviction = await admitBody(call, write, sent);
  const { options, dryRun } = deleteOptionsOf(eviction, write.dryRun);
  const pod = backend.reader.get("pods", info.namespace, info.name);
  if (pod === undefined) throw notFound(call.resource.definition, info.name);
  const deletion: WriteRequest = { ...write, dryRun, subresource: "", admittedAs: "over" };
  if (!isBeyondBudgets(pod)) await chargeBudget(call, pod, deletion);
  await markDisrupted(call, deletion);
  await deleteObject(backend, deletion, options);
  return respondStatus(call, representation, { code: 201, status: succeeded(201) });
}

function deleteOptionsOf(
  eviction: ApiObject,
  isDryRun: boolean,
): { readonly options: DeleteOptions; readonly dryRun: boolean } {
  const given = isJsonObject(eviction["deleteOptions"]) ? eviction["deleteOptions"] : {};
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = given;
  const options: DeleteOptions = {
    ...(typeof gracePeriodSeconds === "number" ? { gracePeriodSeconds } : {}),
    ...(typeof propagationPolicy === "string" ? { propagationPolicy: propagationPolicy as PropagationPolicy } : {}),
    ...(isJsonObject(preconditions) ? { preconditions } : {}),
  };
  return { options, dryRun: isDryRun || (Array.isArray(dryRun) && dryRun.length > 0) };
}

/** Pods that do not run, or are going already, disrupt nothing. */
function isBeyondBudgets(object: ApiObject): boolean {
  const phase = (object as unknown as Pod).status?.phase;
  const isIdle = phase === "Succeeded" || phase === "Failed" || phase === "Pending";
  return isIdle || object.metadata.deletionTimestamp !== undefined;
}

async function chargeBudget(call: ResourceCall, pod: ApiObject, write: WriteRequest): Promise<void> {
  const { backend, info } = call;
  const labels = pod.metadata.labels ?? {};
  const budgets = backend.reader.list(BUDGETS, info.namespace).filter((object) => {
    const { selector } = (object as unknown as PodDisruptionBudget).spec ?? {};
    return selector !== undefined && selects(selector, labels) === true;
  });
  const [budget, second] = budgets;
  if (budget === undefined) return;
  if (second !== undefined) throw severalBudgets();
  if (!isReady(pod) && mayEvictUnready(budget)) return;
  const resource = backend.registry.find("policy", "v1", "poddisruptionbudgets");
  if (resource === undefined) throw internalError("poddisruptionbudgets are not served");
  const name = budget.metadata.name ?? "";
  const time = formatTime(backend.clock.now());
  const shape = await shapeOf(resource);
  const charge: WriteRequest = {
    ...write,
    resource,
    shape,
    subresource: "status",
    name,
    fieldManager: "kube-apiserver",
  };
  await updateObject(backend, charge, (current) => withCharge(current, pod.metadata.name ?? "", time));
}

function severalBudgets(): ApiError {
  const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
  return bareError(500, message);
}

function isReady(object: ApiObject): boolean {
  const { conditions = [] } = (object as unknown as Pod).status ?? {};
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

function mayEvictUnready(object: ApiObject): boolean {
  const { spec, status } = object as unknown as PodDisruptionBudget;
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** The budget with one disruption less. Throws a 429 when there is none to give. */
function withCharge(object: ApiObject, pod: string, time: string): ApiObject {
  const { status } = object as unknown as PodDisruptionBudget;
  const name = object.metadata.name ?? "";
  const { observedGeneration = 0, disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  if (observedGeneration < (object.metadata.generation ?? 0)) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  }
  if (disruptionsAllowed <= 0) {
    const why = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw tooManyRequests(why, 0);
  }
  const disruptedPods = { ...status?.disruptedPods, [pod]: time };
  const charged = { ...status, disruptionsAllowed: disruptionsAllowed - 1, disruptedPods };
  return withFields(object, { status: { ...charged, conditions: conditionsOf(charged, time) } as never });
}

type BudgetStatus = NonNullable<PodDisruptionBudget["status"]>;

/** The conditions of a budget, of which one says whether it allows more. */
function conditionsOf(
  { conditions = [], disruptionsAllowed = 0, observedGeneration = 0 }: BudgetStatus,
  time: string,
): BudgetStatus["conditions"] {
  const isAllowed = disruptionsAllowed > 0;
  const [status, reason] = isAllowed ? (["True", "SufficientPods"] as const) : (["False", "InsufficientPods"] as const);
  const known = conditions.find(({ type }) => type === ALLOWED);
  const lastTransitionTime = known?.status === status ? known.lastTransitionTime : time;
  const condition = { type: ALLOWED, status, reason, message: "", lastTransitionTime, observedGeneration };
  return known === undefined
    ? [...conditions, condition]
    : conditions.map((each) => (each === known ? condition : each));
}

function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return apiError(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: CAUSE, message }],
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}

/** Whoever sees the pod end knows why. */
async function markDisrupted({ backend }: ResourceCall, write: WriteRequest): Promise<void> {
  const time = formatTime(backend.clock.now());
  if (write.dryRun) return;
  await updateObject(backend, { ...write, subresource: "status", ownership: "kept" }, (object) => {
    const { status } = object as unknown as Pod;
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
      lastProbeTime: null,
      lastTransitionTime: time,
    };
    const others = (status?.conditions ?? []).filter(({ type }) => type !== condition.type);
    return withFields(object, { status: { ...status, conditions: [...others, condition] } as never });
  });
}
