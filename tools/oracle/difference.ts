/** Where two answers differ first, in one line for people. */
import { deepEqual, isJsonArray, isJsonObject, type Json } from "@kubewright/core/meta";
import type { Outcome } from "./oracle-case.ts";

const shownMax = 600;

/** The path of the first difference, with both sides. */
export function firstDifference(ours: Outcome, theirs: Outcome): string {
  return describe(JSON.parse(JSON.stringify(ours)) as Json, theirs as Json, "");
}

function describe(ours: Json | undefined, theirs: Json | undefined, path: string): string {
  const isDeeper = (isJsonObject(ours) && isJsonObject(theirs)) || (isJsonArray(ours) && isJsonArray(theirs));
  if (isDeeper) {
    const left = ours as Readonly<Record<string, Json>>;
    const right = theirs as Readonly<Record<string, Json>>;
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    const own = (side: Readonly<Record<string, Json>>, key: string): Json | undefined =>
      Object.hasOwn(side, key) ? side[key] : undefined;
    const key = keys.find((name) => !deepEqual(own(left, name), own(right, name)));
    if (key !== undefined) return describe(own(left, key), own(right, key), `${path}/${key}`);
  }
  return `${path}\n    ours: ${shown(ours)}\n    go:   ${shown(theirs)}`;
}

function shown(value: Json | undefined): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, shownMax);
}
