/** The cases that both sides answer, and the form of an answer. Cases and answers travel as lines of JSON. */
import type { Json, JsonObject } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";

/** One write in a sequence of writes to one object. */
export interface ApplyStep {
  readonly operation: "apply" | "update";
  readonly manager: string;
  readonly version: "v1" | "v2" | "v3";
  readonly subresource: "" | "status";
  readonly force?: boolean;
  /** The configuration of an apply. */
  readonly config?: JsonObject;
  /** The merge patch that makes an update of the live object. */
  readonly patch?: JsonObject;
}

/** A question to both sides. */
export type OracleCase =
  | { readonly kind: "json-patch"; readonly document: Json; readonly patch: Json }
  | { readonly kind: "scale"; readonly document: Json; readonly patch: Json }
  | { readonly kind: "merge-patch"; readonly document: JsonObject; readonly patch: Json }
  | { readonly kind: "create-merge-patch"; readonly document: JsonObject; readonly patch: JsonObject }
  | {
      readonly kind: "strategic";
      readonly document: JsonObject;
      readonly patch: Json;
      readonly schema: StructuralSchema;
    }
  | {
      readonly kind: "apply";
      readonly schema: StructuralSchema;
      readonly steps: readonly ApplyStep[];
      /** The schema from step `laterFrom` on, when it changes on the way. */
      readonly laterSchema?: StructuralSchema;
      readonly laterFrom?: number;
    };

/** The kinds of cases. */
export type OracleKind = OracleCase["kind"];

/** What one run gave: a value, an error text, or (in Go only) a panic. */
export interface Outcome {
  readonly value?: Json;
  readonly error?: string;
  readonly panic?: string;
}
