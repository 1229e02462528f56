/**
 * `x-kubernetes-validations` of a schema, compiled: a tree with the schema's shape that has only the parts with rules.
 * Made once for each schema; evaluate-rules.ts walks it beside objects, rule-problems.ts reports what does not compile.
 */
import type { StructuralSchema, ValidationRule } from "../../schema/structural.ts";
import { schemaSearch } from "../schema-search.ts";
import { type CelType, optionalType } from "./cel-type.ts";
import { type CompileOptions, compileExpression, type Program } from "./compile.ts";
import { ruleFieldPath } from "./field-path.ts";
import { ruleSchema, schemaType } from "./schema-types.ts";
import type { SchemaSizes } from "./static-cost/schema-sizes.ts";

/** A rule ready to run, or why it cannot. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: Program | undefined;
  /** `compilation failed: ERROR: <input>:1:6: …` */
  readonly problem: string | undefined;
  readonly usesOldSelf: boolean;
  readonly messageProgram: Program | undefined;
  readonly messageProblem: string | undefined;
  /** The path of `fieldPath`, relative to the node; "" for the node itself. */
  readonly fieldPath: string;
}

/** A part of a schema that has rules, or parts with rules. */
export interface RuleNode {
  /** The schema through which rules see values: with metadata where a resource begins. */
  readonly schema: StructuralSchema;
  readonly rules: readonly CompiledRule[];
  /** False when rules cannot see the node at all, which is an error if there are some. */
  readonly visible: boolean;
  readonly items: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly allOf: readonly RuleNode[];
}

const compiledSchemas = new WeakMap<StructuralSchema, { readonly root: RuleNode | undefined }>();

/** The rules of a custom resource's schema; undefined when it has none. */
export function compileRules(schema: StructuralSchema): RuleNode | undefined {
  const known = compiledSchemas.get(schema);
  if (known !== undefined) return known.root;
  const root = hasRules(schema) ? compileNode(schema, schema, true) : undefined;
  compiledSchemas.set(schema, { root });
  return root;
}

/** Whether there is a rule anywhere in a schema. Kubernetes does not look into allOf for it. */
export const hasRules: (schema: StructuralSchema) => boolean = schemaSearch(
  (schema) => (schema["x-kubernetes-validations"] ?? []).length > 0,
);

/** `validation` has the rules, `node` the structure: they differ inside of allOf. */
function compileNode(validation: StructuralSchema, node: StructuralSchema, isRoot: boolean): RuleNode | undefined {
  const type = schemaType(node, "selfType", isRoot);
  const rules = type === undefined ? [] : compileAll(validation, node, type);
  const visible = type !== undefined || (validation["x-kubernetes-validations"] ?? []).length === 0;
  const items = validation.items && node.items && compileNode(validation.items, node.items, false);
  const additional = compileAdditional(validation, node);
  const properties = compileProperties(validation, node);
  const allOf = (validation.allOf ?? []).flatMap((part) => compileNode(part, node, isRoot) ?? []);
  const parts = rules.length + properties.size + allOf.length;
  if (parts === 0 && visible && items === undefined && additional === undefined) return undefined;
  return { schema: ruleSchema(node, isRoot), rules, visible, items, properties, additional, allOf };
}

function compileAdditional(validation: StructuralSchema, node: StructuralSchema): RuleNode | undefined {
  const [rules, structure] = [validation.additionalProperties, node.additionalProperties];
  return typeof rules === "object" && typeof structure === "object" ? compileNode(rules, structure, false) : undefined;
}

function compileProperties(validation: StructuralSchema, node: StructuralSchema): ReadonlyMap<string, RuleNode> {
  const properties = new Map<string, RuleNode>();
  for (const [name, part] of Object.entries(validation.properties ?? {})) {
    const structure = Object.hasOwn(node.properties ?? {}, name) ? node.properties?.[name] : undefined;
    const compiled = structure && compileNode(part, structure, false);
    if (compiled) properties.set(name, compiled);
  }
  return properties;
}

function compileAll(validation: StructuralSchema, node: StructuralSchema, type: CelType): CompiledRule[] {
  return (validation["x-kubernetes-validations"] ?? []).map((rule) => compileRule(rule, { schema: node, type }));
}

/** Values that a rule is about. */
export interface RuleSubject {
  readonly schema: StructuralSchema;
  readonly type: CelType;
  /** How large they can be, where costs are asked for. */
  readonly sizes?: SchemaSizes;
}

/** Compiles one rule. */
export function compileRule(rule: ValidationRule, { schema, type, sizes }: RuleSubject): CompiledRule {
  const variables = new Map([
    ["self", type],
    ["oldSelf", rule.optionalOldSelf ? optionalType(type) : type],
  ]);
  const options = { variables, ...(sizes === undefined ? {} : { sizes }) };
  const main = compileTyped(rule.rule, options, {
    type: "bool",
    problem: "cel expression must evaluate to a bool",
    prefix: "",
  });
  const message = main.program && compileTyped(rule.messageExpression ?? "", options, messageKind);
  return {
    rule,
    program: main.program,
    problem: main.problem,
    usesOldSelf: main.program?.references.has("oldSelf") ?? false,
    messageProgram: message?.program,
    messageProblem: message?.problem,
    fieldPath: rule.fieldPath === undefined ? "" : (ruleFieldPath(rule.fieldPath, schema) ?? ""),
  };
}

interface ExpressionKind {
  readonly type: string;
  readonly problem: string;
  readonly prefix: string;
}

const messageKind: ExpressionKind = {
  type: "string",
  problem: "messageExpression must evaluate to a string",
  prefix: "messageExpression ",
};

function compileTyped(
  source: string,
  options: CompileOptions,
  kind: ExpressionKind,
): { readonly program: Program | undefined; readonly problem: string | undefined } {
  if (source.trim() === "") return { program: undefined, problem: undefined };
  const { program, problem } = compileExpression(source, options);
  if (program === undefined) return { program, problem: `${kind.prefix}compilation failed: ${problem}` };
  return program.type.name === kind.type
    ? { program, problem: undefined }
    : { program: undefined, problem: kind.problem };
}
