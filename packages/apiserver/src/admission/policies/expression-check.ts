/**
 * Expressions of policies and webhooks are compiled when they are written, so that a mistake is told to whom it concerns.
 * Part of the admission API itself, so it cannot be switched off. Updates that leave an expression as it was pass.
 */
import { isJsonObject, type JsonObject } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, invalidError } from "@kubewright/core/protocol";
import type { ApiObject } from "../../resource/object.ts";
import type { AdmissionPlugin } from "../admission.ts";
import { objectsAt } from "./policy.ts";

const GROUP = "admissionregistration.k8s.io";

/** An expression and where it stands. */
interface Placed {
  readonly field: string;
  readonly expression: string;
  /** What it must evaluate to; undefined for anything. */
  readonly type?: "bool" | "string";
  /** Names that mean nothing where it stands. @default none */
  readonly unknown?: readonly string[];
}

/** The plugin. */
export const expressionCheck: AdmissionPlugin = {
  name: "ExpressionCheck",
  resources: new Set(
    [
      "mutatingadmissionpolicies",
      "mutatingwebhookconfigurations",
      "validatingadmissionpolicies",
      "validatingwebhookconfigurations",
    ].map((plural) => `${plural}.${GROUP}`),
  ),
  async validate({ object, oldObject, resource }) {
    if (object === undefined) return;
    const known = new Set(oldObject === undefined ? [] : expressionsOf(oldObject).map(({ expression }) => expression));
    const changed = expressionsOf(object).filter(({ expression }) => !known.has(expression));
    if (changed.length === 0) return;
    const errors = (await Promise.all(changed.map(check))).flat();
    const { kind } = resource.definition;
    if (errors.length > 0) throw invalidError({ group: GROUP, kind, name: object.metadata.name ?? "" }, errors);
  },
};

async function check({ field, expression, type, unknown }: Placed): Promise<readonly FieldError[]> {
  const { compileAdmission } = await import("../expressions.ts");
  const { program, problem } = compileAdmission(expression, unknown);
  if (program === undefined) return [fieldInvalid(field, expression, `compilation failed: ${problem}`)];
  const { name } = program.type;
  if (type === undefined || name === type || name === "dyn") return [];
  return [fieldInvalid(field, expression, `must evaluate to ${type} but got ${name}`)];
}

/** A policy without a kind of parameters has none to speak of, and one without variables neither. */
function expressionsOf(object: ApiObject): readonly Placed[] {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const hasVariables = objectsAt(spec, "variables").length > 0 || object.kind === "MutatingAdmissionPolicy";
  const unknown = [...(isJsonObject(spec["paramKind"]) ? [] : ["params"]), ...(hasVariables ? [] : ["variables"])];
  return placedExpressions(object).map((each) => ({ ...each, unknown }));
}

function placedExpressions(object: ApiObject): readonly Placed[] {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const webhooks = objectsAt(object, "webhooks").flatMap((webhook, index) =>
    placed(webhook, { list: "matchConditions", at: `webhooks[${index}]`, type: "bool" }),
  );
  return [
    ...webhooks,
    ...placed(spec, { list: "variables", at: "spec" }),
    ...placed(spec, { list: "matchConditions", at: "spec", type: "bool" }),
    ...placed(spec, { list: "validations", at: "spec", type: "bool" }),
    ...placed(spec, { list: "validations", at: "spec", key: "messageExpression", type: "string" }),
    ...placed(spec, { list: "auditAnnotations", at: "spec", key: "valueExpression" }),
    ...objectsAt(spec, "mutations").flatMap((mutation, index) =>
      ["applyConfiguration", "jsonPatch"].flatMap((part) => {
        const own = mutation[part];
        const expression = isJsonObject(own) ? own["expression"] : undefined;
        const field = `spec.mutations[${index}].${part}.expression`;
        return typeof expression === "string" ? [{ field, expression }] : [];
      }),
    ),
  ];
}

interface Place {
  readonly list: string;
  readonly at: string;
  /** @default "expression" */
  readonly key?: string;
  readonly type?: "bool" | "string";
}

function placed(object: JsonObject, { list, at, key = "expression", type }: Place): readonly Placed[] {
  return objectsAt(object, list).flatMap((item, index) => {
    const expression = item[key];
    if (typeof expression !== "string" || expression === "") return [];
    const field = `${at}.${list}[${index}].${key}`;
    return [{ field, expression, ...(type === undefined ? {} : { type }) }];
  });
}
