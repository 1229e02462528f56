/**
 * What zod can say that a JSON Schema does not show: refinements, transforms, coercion, values without JSON form. zod
 * drops some of these silently when it writes JSON Schema and throws at others without a path, so its schemas are walked
 * before. They are read structurally (`_zod.def`); zod is not imported.
 */
import { joinPath, type SchemaProblem } from "../schema-problem.ts";

/** The part of a zod schema that is read here. */
interface ZodSchema {
  readonly _zod: { readonly def: ZodDefinition };
  readonly "~standard"?: { readonly vendor?: string };
}

interface ZodDefinition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheckDefinition } }[];
  readonly coerce?: boolean;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly catchall?: ZodSchema;
  readonly element?: ZodSchema;
  readonly innerType?: ZodSchema;
  readonly keyType?: ZodSchema;
  readonly valueType?: ZodSchema;
  readonly options?: readonly ZodSchema[];
  readonly left?: ZodSchema;
  readonly right?: ZodSchema;
  readonly values?: readonly unknown[];
  readonly getter?: () => ZodSchema;
}

interface ZodCheckDefinition {
  readonly check: string;
  readonly pattern?: RegExp;
  /** Options of z.url(). */
  readonly hostname?: RegExp;
  readonly protocol?: RegExp;
}

const USE_TIME = "use time() or z.iso.datetime(), which are strings";
const NO_TRANSFORM =
  "the API server cannot run code; store the value as users write it and convert it in the controller";

/** Kinds of zod schemas that have no place in a resource, with what to write instead. */
const REFUSED: Readonly<Record<string, string>> = {
  bigint: "a bigint has no JSON form; use int64(), or z.int() for integers up to 2^53",
  catch: "the API server refuses bad values instead of replacing them; use .default() for absent ones",
  custom: "the API server cannot run code; use preserveUnknown(), or a schema with a cel() rule",
  date: `a Date has no JSON form; ${USE_TIME}`,
  file: "a file has no JSON form; use z.base64()",
  function: "a function has no JSON form; remove it",
  map: "a Map has no JSON form; use z.record(z.string(), …)",
  nan: "NaN has no JSON form; remove it",
  never: "a value that can never be there has no use in a resource; remove it",
  pipe: `transforms, codecs and preprocessing are code: ${NO_TRANSFORM}`,
  promise: "a promise has no JSON form; remove it",
  set: "a Set has no JSON form; use listSet(…)",
  success: `success() is code: ${NO_TRANSFORM}`,
  symbol: "a symbol has no JSON form; use z.enum([…])",
  transform: `transforms are code: ${NO_TRANSFORM}`,
  tuple: "a tuple has no structural form; use z.array, or z.object with named fields",
  undefined: "undefined has no JSON form; use .optional()",
  void: "void has no JSON form; use .optional()",
};

const REFUSED_CHECKS: Readonly<Record<string, string>> = {
  custom: "refine() and superRefine() run code, which the API server cannot; say it as a rule: .check(cel(…))",
  overwrite: "trim(), toLowerCase() and other changes of the value run code; demand the form with .regex(…)",
  property: "property checks run code; put the constraint on the property itself",
};

/** Adds to `problems` what a zod schema says that Kubernetes cannot. Other libraries' schemas are left alone. */
export function refuseZod(schema: unknown, path: string, problems: SchemaProblem[]): void {
  if (isZodSchema(schema)) visit(schema, { path, problems, above: [] });
}

interface Visit {
  readonly path: string;
  readonly problems: SchemaProblem[];
  /** Schemas around this one, to notice recursion. */
  readonly above: readonly ZodSchema[];
}

function visit(schema: ZodSchema, place: Visit): void {
  if (schema["~standard"]?.vendor === "kubewright") return;
  const report = (message: string) => place.problems.push({ path: place.path, message });
  if (place.above.includes(schema)) {
    report("a schema that contains itself has no structural form; use preserveUnknown() at the place of recursion");
    return;
  }
  const { def } = schema._zod;
  for (const message of ownProblems(def)) report(message);
  for (const [path, child] of childrenOf(def, place.path)) {
    visit(child, { ...place, path, above: [...place.above, schema] });
  }
}

function ownProblems(def: ZodDefinition): string[] {
  const refused = Object.hasOwn(REFUSED, def.type) ? REFUSED[def.type] : undefined;
  return [
    refused,
    def.coerce === true ? "coercion runs code, which the API server cannot; use the plain type" : undefined,
    def.type === "record" && !isPlainString(def.keyType) ? recordKeyProblem(def.keyType) : undefined,
    def.values?.some((value) => typeof value === "bigint") ? REFUSED["bigint"] : undefined,
    def.values?.some((value) => value === undefined) ? REFUSED["undefined"] : undefined,
    ...checksOf(def).map(checkProblem),
  ].filter((problem) => problem !== undefined);
}

/** Formats such as z.email() are a schema and its first check in one. */
function checksOf(def: ZodDefinition): readonly ZodCheckDefinition[] {
  return [def as Partial<ZodCheckDefinition>, ...(def.checks ?? []).map((check) => check._zod.def)].filter(
    (check): check is ZodCheckDefinition => check.check !== undefined,
  );
}

function checkProblem(check: ZodCheckDefinition): string | undefined {
  const refused = Object.hasOwn(REFUSED_CHECKS, check.check) ? REFUSED_CHECKS[check.check] : undefined;
  if (refused !== undefined) return refused;
  if (check.hostname !== undefined || check.protocol !== undefined) {
    return "hostname and protocol of a URL are checked by code; use z.url() with .check(cel(…)), or z.string().regex(…)";
  }
  const flags = check.pattern?.flags.replaceAll(/[uvdg]/g, "") ?? "";
  return flags === "" ? undefined : `pattern ${check.pattern} has flags, which a schema cannot carry; write them out`;
}

function isPlainString(schema: ZodSchema | undefined): boolean {
  const def = schema?._zod.def;
  return def?.type === "string" && checksOf(def).length === 0;
}

function recordKeyProblem(schema: ZodSchema | undefined): string {
  const type = schema?._zod.def.type;
  if (type === "enum" || type === "literal")
    return "keys of a record are any strings; use z.object with optional fields";
  return 'keys of a record cannot be constrained by schema; use z.string() and cel("self.all(key, …)")';
}

/** The schemas below one, with their paths. Refused kinds are not followed: one message is enough. */
function childrenOf(def: ZodDefinition, path: string): readonly (readonly [path: string, schema: ZodSchema])[] {
  if (Object.hasOwn(REFUSED, def.type)) return [];
  const here = [def.innerType, def.left, def.right, ...(def.options ?? []), def.getter?.()];
  return [
    ...Object.entries(def.shape ?? {}).map(([name, child]) => [joinPath(path, name), child] as const),
    ...(def.element === undefined ? [] : [[`${path}[]`, def.element] as const]),
    ...(def.valueType === undefined ? [] : [[`${path}[*]`, def.valueType] as const]),
    ...here.filter((child) => child !== undefined).map((child) => [path, child] as const),
  ];
}

function isZodSchema(schema: unknown): schema is ZodSchema {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}
