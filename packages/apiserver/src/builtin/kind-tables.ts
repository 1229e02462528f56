/** The tables of the built-in kinds, loaded with the first write of one: reading needs none of them. */
import type { GroupVersionKind, JsonObject } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";
import { otherRules } from "./defaults/other-rules.ts";
import { podRules } from "./defaults/pod-rules.ts";
import { workloadRules } from "./defaults/workload-rules.ts";

/** What the tables know of an object of a built-in kind. */
export interface KindTables {
  /** The object with its defaults. */
  fillDefaults(kind: GroupVersionKind, object: JsonObject, known?: JsonObject): JsonObject;
  /** The object as Kubernetes' storage gives it back. */
  asStored(kind: GroupVersionKind, object: JsonObject): JsonObject;
  schemaOf(group: string, version: string, kind: string): StructuralSchema | undefined;
}

let tables: KindTables | undefined;

/** Loads the tables; the strategies of the built-in kinds name this as their `load`. */
export async function loadKindTables(): Promise<void> {
  if (tables !== undefined) return;
  const { createDefaulter } = await import("@kubewright/api/defaults");
  const { formsOf } = await import("@kubewright/api/zero-values");
  const { schemaOf } = await import("@kubewright/api/schemas");
  const fillDefaults = createDefaulter(new Map([...podRules, ...workloadRules, ...otherRules]));
  tables ??= { fillDefaults, asStored: (kind, object) => formsOf(kind).asStored(object), schemaOf };
}

/** The tables, which `loadKindTables` has loaded. */
export function kindTables(): KindTables {
  if (tables === undefined) throw new Error("the tables of kinds are not loaded; await the strategy's load first");
  return tables;
}
