/**
 * `node tools/schema-oracle/compare.ts [SEED] [COUNT]`: random expressions, compared with cel-go in Kubernetes' environment:
 * do both refuse, fail with the same text, or give the same value? Prints every disagreement; fails when one side crashes
 * or more than one in a hundred disagrees (cel-go's own internal errors are among those).
 */

import { compileExpression, type Outcome, schemaType, schemaValue } from "@kubewright/core/engine";
import { seededRandom } from "@kubewright/core/ports";
import { celObject, celSchema } from "./corpus-cel.ts";
import { ask } from "./oracle.ts";

const [seed = "1", count = "2000"] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const atoms =
  "self.a self.s self.l self.m self.o self.ios self.set self.list self.objs self.maplist self.t self.d self.n self.by self.?opt 1 0 -1 2u 1.5 'a' '' 'a,b' true false null [1,2] ['a'] [] {'a':1} {} duration('1h') timestamp('2020-01-01T00:00:00Z') optional.of(1) optional.none() quantity('1Gi') ip('1.2.3.4') dyn(1) dyn('x') dyn([1]) x type(1)".split(
    " ",
  );
const methods =
  "size() startsWith('a') contains('b') matches('a+') split(',') join(',') all(x,x==x) exists(x,true) map(x,x) filter(x,true) exists_one(x,x==1) sum() min() max() isSorted() indexOf('a') lastIndexOf('a') reverse() distinct() sort() slice(0,1) flatten() orValue(1) value() hasValue() upperAscii() trim() substring(0,1) charAt(0) replace('a','b') getHours() find('a') all(i,v,i==i) transformList(i,v,v) transformMap(k,v,v) n k x y ?n isInteger() family() add(1) format([1]) map(x,x,x)".split(
    " ",
  );
const operators = "+ - * / % == != < <= > >= && || in".split(" ");
const functions =
  "size string int double uint type dyn bool bytes timestamp duration has isIP quantity sets.contains".split(" ");

function pick(list: readonly string[]): string {
  return list[Math.floor(random.next() * list.length)] ?? "";
}

/** Kinds of expressions, each as often as it stands here. */
const shapes: readonly ((inner: () => string) => string)[] = [
  () => pick(atoms),
  () => pick(atoms),
  (inner) => `${inner()}.${pick(methods)}`,
  (inner) => `${inner()}.${pick(methods)}`,
  (inner) => `${inner()} ${pick(operators)} ${inner()}`,
  (inner) => `${inner()} ${pick(operators)} ${inner()}`,
  (inner) => `${pick(functions)}(${inner()})`,
  (inner) => `(${inner()})[${inner()}]`,
  (inner) => `${inner()} ? ${inner()} : ${inner()}`,
  (inner) => `[${inner()}, ${inner()}]`,
  (inner) => `!(${inner()})`,
];

function expression(depth: number): string {
  const shape = depth === 0 ? shapes[0] : shapes[Math.floor(random.next() * shapes.length)];
  return shape?.(() => expression(depth - 1)) ?? "";
}

interface Answer {
  readonly value?: string;
  readonly error?: string;
  readonly compileErrors?: readonly string[];
}

const variables = new Map([
  ["self", schemaType(celSchema, "selfType", false) ?? ({ kind: "simple", name: "dyn", parameters: [] } as const)],
]);
const self = schemaValue(celObject, celSchema);

function ours(source: string): string {
  const { program } = compileExpression(source, { variables });
  return program === undefined ? "refused" : shown(program.evaluate((name) => (name === "self" ? self : undefined)));
}

function shown(outcome: Outcome): string {
  if (outcome.kind !== "value") return outcome.message;
  const { value } = outcome;
  if (typeof value === "boolean") return `bool(${value})`;
  if (typeof value === "bigint") return `int(${value})`;
  return typeof value === "string" ? `string(${JSON.stringify(value)})` : "a value";
}

function theirs({ value, error, compileErrors }: Answer): string {
  if (compileErrors !== undefined) return "refused";
  return error ?? (/^(?:bool|int|string)\(/.test(value ?? "") ? (value ?? "") : "a value");
}

const sources = Array.from({ length: Number(count) }, () => expression(3));
const answers = ask(sources.map((expr) => ({ schema: celSchema, object: celObject, expr }))) as readonly Answer[];
const differing = sources.flatMap((source, index) => {
  const [mine, expected] = [ours(source), theirs(answers[index] ?? {})];
  return mine === expected ? [] : [`${source}\n  here:   ${mine}\n  cel-go: ${expected}`];
});
for (const line of differing) console.log(line);
console.log(`seed ${seed}: ${sources.length - differing.length} of ${sources.length} agree`);
process.exitCode = differing.length * 100 > sources.length ? 1 : 0;
