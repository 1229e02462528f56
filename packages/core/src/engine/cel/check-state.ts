/** What the parts of the type checker share: the state of one check, and how problems are noted. */
import { type Bindings, type CelType, dynType, errorType, formatType, isAssignable, resolve } from "./cel-type.ts";
import type { CelIssue } from "./issues.ts";
import type { FunctionTable, Overload } from "./overloads.ts";
import type { Expression } from "./syntax.ts";

/** A node of one kind. */
export type NodeOf<Kind extends Expression["kind"]> = Extract<Expression, { readonly kind: Kind }>;

/** What an expression may refer to. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: FunctionTable;
}

/** What a call is a call of. */
export interface Call {
  /** With the namespace, where there is one. */
  readonly name: string;
  /** What a method is called on. */
  readonly target?: Expression;
  /** All that fit the static types. */
  readonly overloads: readonly Overload[];
}

/** What checking one expression knows and finds. */
export interface CheckState {
  readonly declarations: Declarations;
  /** Checks a node inside of another: the checker itself. */
  readonly check: (node: Expression) => CelType;
  readonly issues: CelIssue[];
  /** Literals with elements of several types, and wrong formats: told only when there is nothing else. */
  readonly late: CelIssue[];
  /** The types found so far. */
  readonly types: Map<Expression, CelType>;
  /** The functions found so far. */
  readonly calls: Map<Expression, Call>;
  /** Inside of arguments to format(), where such literals are fine. */
  formatDepth: number;
  readonly bindings: Bindings;
  /** Numbers the type parameters of each call. */
  fresh: number;
  /** Variables of the macros around. */
  readonly scopes: ReadonlyMap<string, CelType>[];
}

/** How many problems of one expression are told. */
const issuesMax = 100;

/** Notes a problem; anything goes with the node then. */
export function report(state: CheckState, position: number, message: string): CelType {
  if (state.issues.length < issuesMax) state.issues.push({ position, message });
  return errorType;
}

/** A name that means nothing here. */
export function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

/** Checks a node that must have the type. */
export function expectType(node: Expression, wanted: CelType, state: CheckState): void {
  const actual = state.check(node);
  if (isAssignable(wanted, actual, state.bindings)) return;
  const [expected, found] = [wanted, actual].map((type) => formatType(resolve(type, state.bindings)));
  report(state, node.position, `expected type '${expected}' but found '${found}'`);
}

/** The type inside of an optional; other types as they are. */
export function unwrapOptional(type: CelType): CelType {
  return type.kind === "optional" ? (type.parameters[0] ?? dynType) : type;
}
