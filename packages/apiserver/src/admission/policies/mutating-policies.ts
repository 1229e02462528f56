/**
 * MutatingAdmissionPolicy: expressions that compute a change, merged into the object as server-side apply merges, or a
 * JSON patch. Policies run in order, each seeing what those before it changed; like webhooks they may ask to run again.
 */
import { deepEqual, isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import { applyJsonPatch, applyServerSide } from "@kubewright/core/patch";
import { ApiError, isApiError } from "@kubewright/core/protocol";
import type { StructuralSchema } from "@kubewright/core/schema";
import type { Authorize } from "../../auth/authorization.ts";
import { type ApiObject, withMetadata } from "../../resource/object.ts";
import type { ServedResource } from "../../resource/resource.ts";
import type { AdmissionPlugin, MutatingRequest } from "../admission.ts";
import { convertTo } from "../match-resources.ts";
import { refusal } from "../refusal.ts";
import { type Application, findApplications, objectsAt, type PolicyParts, type PolicySource } from "./policy.ts";

/** What the plugin works with. */
export interface MutatingPolicyParts extends PolicyParts {
  readonly authorize: Authorize;
  /** The schema by which a resource's objects are merged. */
  readonly schemaOf: (resource: ServedResource) => Promise<StructuralSchema>;
}

const NAME = "MutatingAdmissionPolicy";

/** Makes the plugin. */
export function mutatingPolicies(source: PolicySource, parts: MutatingPolicyParts): AdmissionPlugin {
  return {
    name: NAME,
    seesOwners: () => source.policies.current().length > 0,
    mutate: (object, request) =>
      source.policies.current().length === 0 ? object : applyPolicies(source, { ...request, object }, parts),
  };
}

async function applyPolicies(
  source: PolicySource,
  request: MutatingRequest,
  parts: MutatingPolicyParts,
): Promise<ApiObject> {
  let { object } = request;
  for (const application of await findApplications(source, request, parts)) {
    if (!mayRun(application, request)) continue;
    object = await applyPolicy(application, { ...request, object }, parts);
  }
  if (object !== request.object) request.reinvocation.request();
  return object;
}

/** In the second round only policies that asked for it run. */
function mayRun({ policy }: Application, { reinvocation }: MutatingRequest): boolean {
  return !reinvocation.isSecondRound || policy.spec["reinvocationPolicy"] === "IfNeeded";
}

async function applyPolicy(
  application: Application,
  request: MutatingRequest,
  parts: MutatingPolicyParts,
): Promise<ApiObject> {
  const { policy, matched } = application;
  try {
    if (application.problem !== undefined) throw new Error(application.problem);
    let object = (await convertTo(request.object, request.resource, matched)) ?? request.object;
    for (const mutation of objectsAt(policy.spec, "mutations")) {
      object = await mutate(mutation, { ...application, object }, { request, parts });
    }
    const own = (await convertTo(object, matched, request.resource)) ?? object;
    const settled = own === request.object ? own : request.settle(own);
    return deepEqual(settled, request.object) ? request.object : settled;
  } catch (error) {
    if (policy.failurePolicy === "Ignore") return request.object;
    throw denial(application, request, isApiError(error) && error.cause instanceof Error ? error.cause : error);
  }
}

async function mutate(
  mutation: JsonObject,
  application: Application & { readonly object: ApiObject },
  { request, parts }: { readonly request: MutatingRequest; readonly parts: MutatingPolicyParts },
): Promise<ApiObject> {
  const { policy, matched, object, oldObject, params } = application;
  const { evaluate, matchConditions, variablesOf } = await import("../expressions.ts");
  const input = { request, matched, object, oldObject, authorize: parts.authorize, variables: policy.variables };
  const variables = variablesOf(params === undefined ? input : { ...input, params });
  const { matches, error } = matchConditions(policy.conditions, variables);
  if (error !== undefined) throw new Error(error);
  if (!matches) return object;
  const isPatch = mutation["patchType"] === "JSONPatch";
  const part = isPatch ? mutation["jsonPatch"] : mutation["applyConfiguration"];
  const expression = String(isJsonObject(part) ? part["expression"] : "");
  const outcome = evaluate(expression, variables);
  if (outcome.kind !== "value") throw new Error(`expression '${expression}' resulted in error: ${outcome.message}`);
  const { toJson } = await import("@kubewright/core/engine");
  const value = plainNumbers(toJson(outcome.value));
  if (isPatch) return applyJsonPatch(object, value) as ApiObject;
  return merge(object, value as JsonObject, await parts.schemaOf(matched));
}

/** Whole numbers of expressions are bigints; in JSON they are numbers where they fit. */
function plainNumbers(value: Json): Json {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plainNumbers(field ?? null)]));
}

/** Merged as an apply by somebody who never applied before: nothing goes, and nobody's ownership changes here. */
function merge(object: ApiObject, config: JsonObject, schema: StructuralSchema): ApiObject {
  const { apiVersion, kind, metadata } = object;
  const { managedFields, ...plain } = metadata;
  const ownMetadata = isJsonObject(config["metadata"]) ? config["metadata"] : {};
  const merged = applyServerSide({
    live: { ...object, metadata: plain },
    config: { ...config, apiVersion, kind, metadata: { ...ownMetadata, name: plain.name } },
    apiVersion,
    manager: NAME,
    schema,
    now: "1970-01-01T00:00:00Z",
    force: true,
  }) as ApiObject;
  return withMetadata(merged, { name: plain.name, managedFields });
}

function denial({ policy, binding }: Application, request: MutatingRequest, error: unknown): ApiError {
  const why = error instanceof Error ? error.message : String(error);
  const by = binding === undefined ? "" : ` with binding '${binding.name}'`;
  const message = `policy '${policy.name}'${by} denied request: ${why}`;
  const { status } = refusal(request, "admission request denied by policy");
  return new ApiError({ ...status, reason: "Invalid", message, details: { ...status.details, causes: [{ message }] } });
}
