/**
 * CEL for everyone: compile an expression once, evaluate it often. Rules of CRDs (rules.ts) and admission policies come
 * here, with different variables.
 *
 * The evaluator is our own. The best library on npm (@marcbachmann/cel-js 8) evaluates 32 of 53 sample rules of real CRDs
 * without additions, has no cost, so that a rule may run for minutes, rejects `has(a[0].b)`, knows neither two-variable
 * comprehensions nor `[?x]`, and matches with JavaScript's regular expressions; all of it would have had to be replaced.
 */
import { CelError, CostError } from "./cel-error.ts";
import type { CelType } from "./cel-type.ts";
import { check } from "./checker.ts";
import { standardFunctions } from "./environment.ts";
import { compileSteps } from "./interpreter.ts";
import { type CelIssue, CelSyntaxError, formatIssues } from "./issues.ts";
import { checkLiterals } from "./literals.ts";
import { Meter } from "./meter.ts";
import type { FunctionTable } from "./overloads.ts";
import { parse } from "./parser.ts";
import { estimateCost } from "./static-cost/estimate-cost.ts";
import type { SchemaSizes } from "./static-cost/schema-sizes.ts";
import { childrenOf, type Expression } from "./syntax.ts";
import type { Value } from "./values.ts";

/** What one evaluation may cost, as Kubernetes limits it. */
export const costPerCallMax = 1_000_000;

/** What an expression is compiled with. */
export interface CompileOptions {
  readonly variables: ReadonlyMap<string, CelType>;
  /** @default the functions of Kubernetes */
  readonly functions?: FunctionTable;
  /** Types of which `Type{field: value}` makes an object. @default none */
  readonly messages?: ReadonlySet<string>;
  /** How large what the variables hold can be: then the cost is estimated. @default it is not */
  readonly sizes?: SchemaSizes;
}

/** How an evaluation ended. */
export type Outcome =
  | { readonly kind: "value"; readonly value: Value; readonly cost: number }
  /** The expression failed: `no such key: x`. */
  | { readonly kind: "error"; readonly message: string; readonly cost: number }
  /** It cost more than it may. */
  | { readonly kind: "too-expensive"; readonly message: string; readonly cost: number };

/** An expression that can be evaluated. */
export interface Program {
  readonly type: CelType;
  /** Names of variables that the expression mentions. */
  readonly references: ReadonlySet<string>;
  /** The most that an evaluation can cost; 0 when sizes are not known. */
  readonly costMax: number;
  evaluate(variables: (name: string) => Value | undefined, costMax?: number): Outcome;
}

/** What compiling gave: a program, or the text of what is wrong. */
export type Compiled =
  | { readonly program: Program; readonly problem?: never }
  | { readonly problem: string; readonly program?: never };

/** Compiles an expression. */
export function compileExpression(source: string, options: CompileOptions): Compiled {
  const functions = options.functions ?? standardFunctions;
  let tree: Expression;
  try {
    tree = parse(source, options.messages);
  } catch (error) {
    if (error instanceof CelSyntaxError) return { problem: formatIssues(source, error.issues) };
    throw error;
  }
  const { type, issues, ...checked } = check(tree, { variables: options.variables, functions });
  const all: readonly CelIssue[] = issues.length > 0 ? issues : checkLiterals(tree);
  if (all.length > 0) return { problem: formatIssues(source, all) };
  const step = compileSteps(tree, functions);
  return {
    program: {
      type,
      references: namesIn(tree),
      costMax: options.sizes === undefined ? 0 : estimateCost({ tree, ...checked }, options.sizes),
      evaluate: (variables, costMax = costPerCallMax) => run(step, variables, costMax),
    },
  };
}

function run(
  step: ReturnType<typeof compileSteps>,
  variables: (name: string) => Value | undefined,
  costMax: number,
): Outcome {
  const meter = new Meter(costMax);
  try {
    return { kind: "value", value: step({ meter, variables, slots: [] }), cost: meter.cost };
  } catch (error) {
    if (error instanceof CelError) return { kind: "error", message: error.message, cost: meter.cost };
    if (error instanceof CostError) return { kind: "too-expensive", message: error.message, cost: meter.cost };
    throw error;
  }
}

function namesIn(tree: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: Expression[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "ident") names.add(node.name);
    pending.push(...childrenOf(node));
  }
  return names;
}
