/** `@kubewright/core/patch`: JSON patch, merge patch, strategic merge patch and server-side apply on plain values. */
export { jsonEqual } from "./json-equal.ts";
export { applyJsonPatch } from "./json-patch.ts";
export { applyMergePatch, createMergePatch } from "./merge-patch.ts";
export { applyStrategicMergePatch } from "./strategic-merge.ts";
