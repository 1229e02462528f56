/**
 * ValidatingAdmissionPolicy: expressions that must be true. What a failed one means is the binding's choice: the request
 * is refused, or a warning is sent, or nothing (there is no audit log here).
 */
import type { JsonObject } from "@kubewright/core/meta";
import { ApiError, type StatusReason } from "@kubewright/core/protocol";
import type { Authorize } from "../../auth/authorization.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import type { Variables } from "../expressions.ts";
import { refusal } from "../refusal.ts";
import { type Application, findApplications, objectsAt, type PolicyParts, type PolicySource } from "./policy.ts";

/** What the plugin works with. */
export interface ValidatingPolicyParts extends PolicyParts {
  readonly authorize: Authorize;
}

interface Denial {
  readonly message: string;
  readonly reason: StatusReason;
}

const CODES: ReadonlyMap<string, number> = new Map([
  ["Unauthorized", 401],
  ["Forbidden", 403],
  ["RequestEntityTooLarge", 413],
  ["Invalid", 422],
]);
const MESSAGE_LENGTH_MAX = 5 * 1024;

/** Makes the plugin. */
export function validatingPolicies(source: PolicySource, parts: ValidatingPolicyParts): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionPolicy",
    seesOwners: () => source.policies.current().length > 0,
    validate: (request) =>
      source.policies.current().length === 0 ? undefined : requireAdmitted(source, request, parts),
  };
}

async function requireAdmitted(
  source: PolicySource,
  request: AdmissionRequest,
  parts: ValidatingPolicyParts,
): Promise<void> {
  const denied: (readonly [Application, Denial])[] = [];
  for (const application of await findApplications(source, request, parts)) {
    const denials = await evaluate(application, request, parts.authorize);
    warn(application, denials, request);
    const isEnforced = application.problem !== undefined || application.binding?.actions.includes("Deny") === true;
    if (isEnforced) denied.push(...denials.map((denial) => [application, denial] as const));
  }
  const [first] = denied;
  if (first !== undefined) throw denialError(first[0], first[1], request);
}

function warn({ policy, binding, problem }: Application, denials: readonly Denial[], request: AdmissionRequest): void {
  if (problem !== undefined || binding?.actions.includes("Warn") !== true) return;
  for (const { message } of denials) {
    request.warn(
      `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
    );
  }
}

async function evaluate(
  application: Application,
  request: AdmissionRequest,
  authorize: Authorize,
): Promise<readonly Denial[]> {
  const { policy, problem, params, matched, object, oldObject } = application;
  const failed = (message: string): readonly Denial[] =>
    policy.failurePolicy === "Ignore" ? [] : [{ message, reason: "Invalid" }];
  if (problem !== undefined) return failed(problem);
  const { matchConditions, variablesOf } = await import("../expressions.ts");
  const { variables: own } = policy;
  const input = { request, matched, object, oldObject, authorize, variables: own };
  const variables = variablesOf(params === undefined ? input : { ...input, params });
  const { matches, error } = matchConditions(policy.conditions, variables);
  if (error !== undefined) return failed(error);
  if (!matches) return [];
  const denials = await Promise.all(
    objectsAt(policy.spec, "validations").map((validation) => check(validation, variables, failed)),
  );
  return denials.flat();
}

async function check(
  validation: JsonObject,
  variables: Variables,
  failed: (message: string) => readonly Denial[],
): Promise<readonly Denial[]> {
  const { evaluate: run } = await import("../expressions.ts");
  const expression = String(validation["expression"] ?? "");
  const outcome = run(expression, variables);
  if (outcome.kind !== "value") return failed(`expression '${expression}' resulted in error: ${outcome.message}`);
  if (outcome.value === true) return [];
  const computed = messageOf(validation, (text) => run(text, variables));
  const reason = String(validation["reason"] ?? "Invalid") as StatusReason;
  return [{ message: computed, reason }];
}

function messageOf(
  { expression, message, messageExpression }: JsonObject,
  run: (text: string) => { readonly kind: string; readonly value?: unknown },
): string {
  const outcome = typeof messageExpression === "string" ? run(messageExpression) : undefined;
  const computed = outcome?.kind === "value" && typeof outcome.value === "string" ? outcome.value.trim() : "";
  if (computed !== "" && computed.length <= MESSAGE_LENGTH_MAX && !computed.includes("\n")) return computed;
  const fixed = typeof message === "string" ? message.trim() : "";
  return fixed === "" ? `failed expression: ${String(expression).trim()}` : fixed;
}

function denialError(
  { policy, binding }: Application,
  { message, reason }: Denial,
  request: AdmissionRequest,
): ApiError {
  const by = binding === undefined ? "" : ` with binding '${binding.name}'`;
  const told = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`;
  const { status } = refusal(request, told);
  const details = { ...status.details, causes: [{ message: told }] };
  return new ApiError({ ...status, reason, code: CODES.get(reason) ?? 500, details });
}
