/** The answer of endpoints that have nothing to show. */
import type { JsonObject } from "@kubewright/core/meta";

/** A Status that says so. */
export function succeeded(code: number): JsonObject {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code };
}
