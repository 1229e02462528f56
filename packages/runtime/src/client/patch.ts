/** The kinds of patch, each as a value that says which it is. */
import type { Json } from "@kubewright/core/meta";
import { PATCH_MEDIA_TYPES } from "@kubewright/core/protocol";

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string };

/** What to change: exactly one of the keys is set, and it names the patch type. Server-side apply is `client.apply`. */
export type Patch =
  /** RFC 6902. */
  | { readonly json: readonly JsonPatchOperation[] }
  /** RFC 7396: null removes a key, lists are replaced. */
  | { readonly merge: object }
  /** Kubernetes' own: lists merge by key; built-in kinds only. */
  | { readonly strategic: object };

/** The body and content type of a patch. */
export function contentOfPatch(patch: Patch): { readonly contentType: string; readonly body: object } {
  if ("json" in patch) return { contentType: PATCH_MEDIA_TYPES.json, body: patch.json };
  if ("merge" in patch) return { contentType: PATCH_MEDIA_TYPES.merge, body: patch.merge };
  return { contentType: PATCH_MEDIA_TYPES.strategicMerge, body: patch.strategic };
}
