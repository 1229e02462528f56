/**
 * Macros: calls that are not functions, because they bind names or look at their argument unevaluated. The parser asks for
 * every call it reads; what is no macro stays a call.
 */
import { CelSyntaxError } from "./issues.ts";
import type { Comprehension, Expression } from "./syntax.ts";

interface CallParts {
  readonly args: readonly Expression[];
  readonly position: number;
}

const oneVariable = new Set(["all", "exists", "exists_one", "filter", "map", "sortBy"]);
const twoVariables = new Set([
  "all",
  "exists",
  "exists_one",
  "existsOne",
  "transformList",
  "transformMap",
  "transformMapEntry",
]);

/** The macro that a call is, or the call. */
export function expandMacro(name: string, target: Expression | undefined, parts: CallParts): Expression {
  const { args, position } = parts;
  if (target === undefined) {
    return name === "has" && args.length === 1
      ? expandHas(args[0] as Expression, position)
      : { kind: "call", name, target, args, position };
  }
  if ((name === "optMap" || name === "optFlatMap") && args.length === 2) {
    const [variable, body] = args as [Expression, Expression];
    return { kind: "optional-map", target, variable: nameOf(variable), body, flat: name === "optFlatMap", position };
  }
  return expandComprehension(name, target, parts) ?? { kind: "call", name, target, args, position };
}

function expandHas(argument: Expression, position: number): Expression {
  if (argument.kind !== "select" || argument.optional) {
    throw new CelSyntaxError([{ position: argument.position, message: "invalid argument to has() macro" }]);
  }
  return { ...argument, test: true, position };
}

function expandComprehension(name: string, range: Expression, { args, position }: CallParts): Expression | undefined {
  const bodies = bodiesOf(name, args);
  if (bodies === undefined) return undefined;
  const { variables, predicate, transform } = bodies;
  const names = variables.map(nameOf);
  if (names.length === 2 && names[0] === names[1]) {
    throw new CelSyntaxError([
      {
        position: variables[1]?.position ?? position,
        message: "duplicate variable name: iteration variables must be distinct",
      },
    ]);
  }
  const macro = (name === "existsOne" ? "exists_one" : name) as Comprehension;
  return { kind: "comprehension", macro, range, variables: names, predicate, transform, position };
}

interface Bodies {
  readonly variables: readonly Expression[];
  readonly predicate: Expression | undefined;
  readonly transform: Expression | undefined;
}

/** Which arguments are names, condition and result; undefined when it is no macro with so many arguments. */
function bodiesOf(name: string, args: readonly Expression[]): Bodies | undefined {
  const [first, second, third, fourth] = args;
  if (first === undefined || second === undefined) return undefined;
  if (args.length === 2 && oneVariable.has(name)) {
    const maps = name === "map" || name === "sortBy";
    return { variables: [first], predicate: maps ? undefined : second, transform: maps ? second : undefined };
  }
  if (args.length === 3 && name === "map") return { variables: [first], predicate: second, transform: third };
  if (!twoVariables.has(name) || third === undefined || args.length > 4) return undefined;
  const tests = !name.startsWith("transform");
  if (tests)
    return fourth === undefined ? { variables: [first, second], predicate: third, transform: undefined } : undefined;
  return fourth === undefined
    ? { variables: [first, second], predicate: undefined, transform: third }
    : { variables: [first, second], predicate: third, transform: fourth };
}

function nameOf(expression: Expression): string {
  if (expression.kind === "ident") return expression.name;
  throw new CelSyntaxError([{ position: expression.position, message: "argument must be a simple name" }]);
}
