/** How two specs differ, for people: a line per field that is not the same. */
import type { PodSpec } from "@kubewright/api/core/v1";
import { deepEqual, isJsonArray, isJsonObject, type Json, stringifyJson } from "@kubewright/core/meta";
import { asJson } from "../validation/fields.ts";

/** The differences, "-" for what was and "+" for what would be. */
export function describeChange(before: PodSpec, after: PodSpec): string {
  return differences("", asJson(before), asJson(after)).join("\n");
}

function differences(path: string, before: Json | undefined, after: Json | undefined): string[] {
  if (deepEqual(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => differences(path === "" ? name : `${path}.${name}`, before[name], after[name]));
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => differences(`${path}[${index}]`, item, after[index]));
  }
  return [
    ...(before === undefined ? [] : [`- ${path}: ${stringifyJson(before)}`]),
    ...(after === undefined ? [] : [`+ ${path}: ${stringifyJson(after)}`]),
  ];
}
