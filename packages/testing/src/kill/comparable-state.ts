/**
 * The objects of some kinds, without what differs from run to run: identities, versions, times, addresses, random names
 * and secrets. Two runs that did the same give equal states.
 */
import type { Json, JsonObject, KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Client } from "@kubewright/runtime";

/** Differ from run to run, wherever they are; the mark of an applied child is a hash of all the rest, secrets included. */
const LEFT_OUT = new Set(["uid", "resourceVersion", "creationTimestamp", "managedFields", "kubewright.dev/applied"]);

/** What stands for texts that differ from run to run. */
const MASKS: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>"],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, "<uid>"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, "<address>"],
  // The alphabet of generated names has no vowels, so words are not taken for one.
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "-<random>"],
];

/** All objects of `kinds`, ordered by name, in a form that can be compared with another run's. */
export async function comparableState(
  client: Client,
  kinds: readonly ResourceDefinition<KubernetesObject, unknown>[],
): Promise<JsonObject> {
  const state: Record<string, Json> = {};
  for (const kind of kinds) {
    const { items } = await client.list(kind, { allNamespaces: true });
    state[kind.kind] = items.map((item) => comparable(item, kind.kind)).toSorted(byText);
  }
  return state;
}

function comparable(object: KubernetesObject, kind: string): Json {
  // Objects of an API are JSON; their types just do not say so.
  const { data, ...rest } = object as unknown as JsonObject;
  if (kind !== "Secret") return masked(object as unknown as Json);
  const lengths = Object.entries(data ?? {}).map(([key, value]) => `${key}: ${String(value).length} characters`);
  return masked({ ...rest, data: lengths });
}

function masked(value: Json): Json {
  if (typeof value === "string") return MASKS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, masked(inner ?? null)]));
}

function byText(left: Json, right: Json): number {
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
