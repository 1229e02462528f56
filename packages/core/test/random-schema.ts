/**
 * Random zod schemas out of a seeded grammar, as users might compose them: some have a structural form, some have not. Input
 * of random-definitions.test.ts and of tools/crd-oracle.
 */
import { z } from "zod";
import {
  atomic,
  conditions,
  duration,
  int64,
  intOrString,
  keepUnknown,
  maxProperties,
  preserveUnknown,
  quantity,
  time,
} from "../src/schema/index.ts";

/** A schema for a spec; the same for the same seed. */
export function randomSpec(seed: number, options: { readonly unions: boolean }): z.ZodObject {
  return z.object({ field: randomSchema(createDice(seed), 3, options.unions) });
}

type Dice = (sides: number) => number;

/** A small generator of numbers below `sides`; the same for the same seed. */
function createDice(seed: number): Dice {
  let state = seed * 2654435761;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) | 0;
    return (state >>> 8) % sides;
  };
}

function randomSchema(dice: Dice, depth: number, unions: boolean): z.ZodType {
  const choices = depth === 0 ? LEAVES : [...LEAVES, ...branches(dice, depth - 1, unions)];
  const schema = choices[dice(choices.length)]?.(dice) ?? z.string();
  return decorate(schema, dice);
}

const LEAVES: readonly ((dice: Dice) => z.ZodType)[] = [
  () => z.string(),
  (dice) => z.string().min(dice(5)).max(20),
  () => z.string().regex(/^[a-z]+$/),
  () => z.enum(["a", "b", "c"]),
  () => z.literal("one"),
  () => z.literal([1, 2]),
  () => z.int32().min(0),
  () => z.int(),
  () => z.number().gt(0).multipleOf(0.5),
  () => z.boolean(),
  () => z.iso.datetime(),
  () => z.ipv6(),
  () => z.unknown(),
  () => intOrString() as never,
  () => quantity() as never,
  () => int64() as never,
  () => duration() as never,
  () => time() as never,
  () => preserveUnknown() as never,
  () => conditions() as never,
];

function branches(dice: Dice, depth: number, unions: boolean): ((dice: Dice) => z.ZodType)[] {
  const below = () => randomSchema(dice, depth, unions);
  const plain = [
    () => z.object({ a: below(), b: below() }),
    () => z.object({ a: below() }).check(atomic()),
    () => z.object({ a: below() }).check(keepUnknown()),
    () => z.looseObject({ a: below() }),
    () => z.array(below()).max(5),
    () => z.record(z.string(), below()).check(maxProperties(3)),
    () => z.intersection(z.object({ a: below() }), z.object({ b: below() })),
  ];
  if (!unions) return plain;
  return [
    ...plain,
    () => z.union([below(), below()]),
    () => z.union([LEAVES[dice(4)]?.(dice) ?? z.string(), LEAVES[dice(5)]?.(dice) ?? z.string()]),
    () => z.union([z.int32(), z.string().min(1)]),
    () => z.union([z.string().min(2).describe("text"), z.string().regex(/^x/).meta({ title: "X" })]),
    () =>
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("a"), value: below() }),
        z.object({ type: z.literal("b"), other: below() }),
      ]),
  ];
}

function decorate(schema: z.ZodType, dice: Dice): z.ZodType {
  if (!("unwrap" in schema) && !("meta" in schema && "parse" in schema)) return schema;
  switch (dice(6)) {
    case 0:
      return schema.optional();
    case 1:
      return schema.nullable();
    case 2:
      return schema.describe("described");
    case 3:
      return schema.meta({ title: "titled" });
    default:
      return schema;
  }
}
