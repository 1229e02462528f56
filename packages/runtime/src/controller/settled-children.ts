/**
 * Remembers what the server makes of a manifest when it does not store it as it was sent ("1000m" becomes "1"). Without this
 * such a child would look different for ever. Only children that differ are remembered, and only so many.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { ChildManifest } from "./child-manifest.ts";
import { childKey } from "./children-plan.ts";
import { contentHash } from "./content-hash.ts";
import { covers } from "./covers.ts";

const REMEMBERED_MAX = 10_000;

/** Children that are as the server makes them. */
export class SettledChildren {
  readonly #results = new Map<string, string>();

  /** Notes the server's answer to an apply. */
  note(manifest: ChildManifest, applied: KubernetesObject): void {
    const key = childKey(manifest.definition, manifest.object);
    this.#results.delete(key);
    if (covers(applied, manifest.object)) return;
    this.#results.set(key, `${manifest.mark} ${contentOf(applied)}`);
    if (this.#results.size <= REMEMBERED_MAX) return;
    const [oldest] = this.#results.keys();
    if (oldest !== undefined) this.#results.delete(oldest);
  }

  /** True when `observed` is what the server made of this very manifest. */
  has(manifest: ChildManifest, observed: KubernetesObject): boolean {
    const known = this.#results.get(childKey(manifest.definition, manifest.object));
    return known !== undefined && known === `${manifest.mark} ${contentOf(observed)}`;
  }
}

/** The parts of an object that its appliers decide, as one hash. */
function contentOf(object: KubernetesObject): string {
  const { status: _status, metadata, ...content } = object as KubernetesObject & { readonly status?: unknown };
  const { labels, annotations, ownerReferences, finalizers } = metadata ?? {};
  return contentHash({ ...content, labels, annotations, ownerReferences, finalizers });
}
