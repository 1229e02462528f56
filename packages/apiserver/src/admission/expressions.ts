/**
 * CEL of admission: match conditions of webhooks, and everything in policies. Compiled once per text, evaluated with
 * the variables of a request. Loads the engine, so it is imported when the first expression is met.
 */
import {
  CelError,
  type Compiled,
  compileExpression,
  costPerCallMax,
  type Declaration,
  declare,
  dynamicValue,
  dynType,
  type FunctionTable,
  functionTable,
  type MapValue,
  type Outcome,
  type Overload,
  type Program,
  standardFunctions,
  type Value,
} from "@kubewright/core/engine";
import type { JsonObject } from "@kubewright/core/meta";
import type { Authorize } from "../auth/authorization.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { AdmissionRequest } from "./admission.ts";
import { authorizerFunctions, authorizerOf, authorizerType } from "./authorizer-library.ts";
import { describeRequest } from "./review-request.ts";

/** What an expression is evaluated with. */
export interface ExpressionInput {
  readonly request: AdmissionRequest;
  /** The version in which the request matched. */
  readonly matched: ServedResource;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly authorize: Authorize;
  /** @default null */
  readonly params?: ApiObject;
  /** The policy's variables, by name; evaluated when first used. @default none */
  readonly variables?: ReadonlyMap<string, string>;
}

/** The variables of one request, as the engine asks for them. */
export type Variables = (name: string) => Value | undefined;

const VARIABLES = new Map([
  ...["object", "oldObject", "request", "params", "namespaceObject", "variables"].map(
    (name) => [name, dynType] as const,
  ),
  ["authorizer", authorizerType] as const,
]);

const escapeKey = declare("jsonpatch.escapeKey(string) string", ([key]) =>
  String(key).replaceAll("~", "~0").replaceAll("/", "~1"),
);
const functions: FunctionTable = withDeclarations(standardFunctions, [...authorizerFunctions, escapeKey]);
/** What mutations are made of. */
const MESSAGES: ReadonlySet<string> = new Set(["JSONPatch", "Object"]);
const compiled = new Map<string, Compiled>();
const COMPILED_MAX = 4096;

function withDeclarations(table: FunctionTable, declarations: readonly Declaration[]): FunctionTable {
  const own = functionTable(declarations);
  const merged = new Map<string, readonly Overload[]>(table);
  for (const [name, overloads] of own) merged.set(name, [...(table.get(name) ?? []), ...overloads]);
  return merged;
}

/** Compiles an expression, in which the variables `unknown` are not declared; the same text once. */
export function compileAdmission(expression: string, unknown: readonly string[] = []): Compiled {
  const key = [expression, ...unknown].join("\0");
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const variables = new Map([...VARIABLES].filter(([name]) => !unknown.includes(name)));
  // `authorizer.requestResource` is a variable of its own in Kubernetes; here it is a method, so that it needs no name.
  const source = expression.replace(/\bauthorizer\.requestResource\b(?!\()/g, "authorizer.requestResource()");
  const result = compileExpression(source, { variables, functions, messages: MESSAGES });
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(key, result);
  return result;
}

/** Evaluates an expression; one that does not compile fails with why. */
export function evaluate(expression: string, variables: Variables, costMax: number = costPerCallMax): Outcome {
  const { program, problem } = compileAdmission(expression);
  if (program === undefined) return { kind: "error", message: `compilation error: ${problem}`, cost: 0 };
  return run(program, variables, costMax);
}

function run(program: Program, variables: Variables, costMax: number): Outcome {
  return program.evaluate(variables, costMax);
}

/** The variables for one input; each is made when first asked for. */
export function variablesOf(input: ExpressionInput): Variables {
  const known = new Map<string, Value>();
  const lookUp: Variables = (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const value = makeVariable(name, input, lookUp);
    if (value !== undefined) known.set(name, value);
    return value;
  };
  return lookUp;
}

function makeVariable(name: string, input: ExpressionInput, lookUp: Variables): Value | undefined {
  const { request, matched, object, oldObject, params, authorize } = input;
  switch (name) {
    case "object":
      return toValue(object);
    case "oldObject":
      return toValue(oldObject);
    case "params":
      return toValue(params);
    case "request":
      return toValue(describeRequest(request, matched));
    case "namespaceObject":
      return toValue(namespaceOf(request));
    case "authorizer":
      return authorizerOf(request, authorize);
    case "variables":
      return lazyVariables(input.variables ?? new Map(), lookUp);
    default:
      return undefined;
  }
}

function toValue(object: JsonObject | undefined): Value {
  return object === undefined ? null : dynamicValue(object);
}

/** Null for objects outside of namespaces, and for namespaces themselves. */
function namespaceOf({ namespace, resource, reader }: AdmissionRequest): ApiObject | undefined {
  if (namespace === "" || resource.storageName === "namespaces") return undefined;
  return reader.get("namespaces", "", namespace);
}

function lazyVariables(variables: ReadonlyMap<string, string>, lookUp: Variables): MapValue {
  const known = new Map<string, Value>();
  return {
    kind: "map",
    size: variables.size,
    keys: () => [...variables.keys()],
    get(key) {
      const name = String(key);
      const before = known.get(name);
      const expression = variables.get(name);
      if (before !== undefined || expression === undefined) return before;
      const outcome = evaluate(expression, lookUp);
      if (outcome.kind !== "value")
        throw failure(`composited variable "${name}" fails to evaluate: ${outcome.message}`);
      known.set(name, outcome.value);
      return outcome.value;
    },
  };
}

function failure(message: string): Error {
  return new CelError(message);
}

/** A named condition that must hold. */
export interface MatchCondition extends JsonObject {
  readonly name: string;
  readonly expression: string;
}

/** Whether all conditions hold: one that is false decides; otherwise errors do. */
export function matchConditions(
  conditions: readonly MatchCondition[],
  variables: Variables,
): { readonly matches: boolean; readonly error?: string } {
  const outcomes = conditions.map(({ expression }) => ({ expression, outcome: evaluate(expression, variables) }));
  if (outcomes.some(({ outcome }) => outcome.kind === "value" && outcome.value === false)) return { matches: false };
  const errors = outcomes.flatMap(({ expression, outcome }) =>
    outcome.kind === "value" ? [] : [`expression '${expression}' resulted in error: ${outcome.message}`],
  );
  if (errors.length === 0) return { matches: true };
  return { matches: false, error: errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]` };
}
