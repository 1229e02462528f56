/**
 * The syntax tree of CEL. parser.ts makes it, checker.ts gives every node a type, interpreter.ts runs it. Positions are
 * offsets (in characters) into the source, where an error about the node points to.
 */

/** A literal value as written. */
export type Literal =
  | { readonly type: "null" }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int"; readonly value: bigint }
  | { readonly type: "uint"; readonly value: bigint }
  | { readonly type: "double"; readonly value: number }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "bytes"; readonly value: Uint8Array };

/** One entry of a map literal. */
export interface MapEntry {
  readonly key: Expression;
  readonly value: Expression;
  /** `?key: value`: the entry is there only when the optional value is. */
  readonly optional: boolean;
}

/** The comprehension macros. */
export type Comprehension =
  | "all"
  | "exists"
  | "exists_one"
  | "filter"
  | "map"
  | "sortBy"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** A node of the tree. */
export type Expression = { readonly position: number } & (
  | { readonly kind: "literal"; readonly literal: Literal }
  | { readonly kind: "ident"; readonly name: string }
  /** `operand.field`; `operand.?field` when optional; `has(operand.field)` when test. */
  | {
      readonly kind: "select";
      readonly operand: Expression;
      readonly field: string;
      readonly optional: boolean;
      readonly test: boolean;
    }
  /** A function, a method (with target) or an operator, which is a function such as `_+_`. */
  | {
      readonly kind: "call";
      readonly name: string;
      readonly target: Expression | undefined;
      readonly args: readonly Expression[];
    }
  | { readonly kind: "list"; readonly items: readonly { readonly value: Expression; readonly optional: boolean }[] }
  /** A map; with `message`, an object by its type's name, whose values may be of different types. */
  | { readonly kind: "map"; readonly entries: readonly MapEntry[]; readonly message?: string }
  | {
      readonly kind: "comprehension";
      readonly macro: Comprehension;
      readonly range: Expression;
      /** One or two names: element or key; index and element, or key and value. */
      readonly variables: readonly string[];
      /** Which elements count; absent means all. */
      readonly predicate: Expression | undefined;
      /** What becomes of an element; absent for macros that only test. */
      readonly transform: Expression | undefined;
    }
  /** `target.optMap(name, body)` and `target.optFlatMap(name, body)`. */
  | {
      readonly kind: "optional-map";
      readonly target: Expression;
      readonly variable: string;
      readonly body: Expression;
      readonly flat: boolean;
    }
);

/** The expressions directly inside of one. */
export function childrenOf(node: Expression): Expression[] {
  switch (node.kind) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [node.operand];
    case "call":
      return [...(node.target === undefined ? [] : [node.target]), ...node.args];
    case "list":
      return node.items.map((item) => item.value);
    case "map":
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case "comprehension":
      return [node.range, node.predicate, node.transform].filter((child) => child !== undefined);
    case "optional-map":
      return [node.target, node.body];
  }
}
