/**
 * The hash of a pod template: names the ReplicaSet or ControllerRevision made from it. Kubernetes hashes a dump of a Go
 * structure, which nobody else can reproduce; what matters is that equal templates hash alike and others do not.
 */
import type { Json, JsonObject } from "@kubewright/core/meta";
import { isJsonArray, isJsonObject } from "@kubewright/core/meta";

/** No vowels, no digits that look like letters: no words appear by accident. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A short name for `template`; `collisions` gives another one when the first is taken by a different template. */
export function templateHash(template: object, collisions = 0): string {
  const number = fnv32a(canonical(template as JsonObject) + (collisions === 0 ? "" : `#${collisions}`));
  return Array.from(number.toString(), (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join("");
}

/** JSON with sorted keys, so that the order in which fields were written does not matter. */
function canonical(value: Json | undefined): string {
  if (isJsonArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return typeof value === "bigint" ? value.toString() : JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

function fnv32a(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
