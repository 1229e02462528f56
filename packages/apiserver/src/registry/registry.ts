/**
 * All resources the server serves, found by group, version and plural. Built-in resources are there from the start;
 * custom-resources.ts adds and removes those of CRDs as they are stored. Discovery and OpenAPI read `all()` and
 * compare `version` to know when to rebuild.
 */
import { apiVersionOf } from "@kubewright/core/meta";
import type { ServedResource } from "../resource/resource.ts";

/** The served resources. */
export class Registry {
  #version = 0;
  readonly #byPath = new Map<string, ServedResource>();
  readonly #byStorageName = new Map<string, Map<string, ServedResource>>();
  readonly #groupVersions = new Map<string, number>();

  /** Rises with each change. */
  get version(): number {
    return this.#version;
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(pathOf(group, version, plural));
  }

  /** True when any resource of this group and version is served. */
  hasGroupVersion(group: string, version: string): boolean {
    return this.#groupVersions.has(`${group}/${version}`);
  }

  /** All resources, in the order they were added. */
  all(): Iterable<ServedResource> {
    return this.#byPath.values();
  }

  /** The served resource of a kind. */
  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    for (const resource of this.#byPath.values()) {
      const { definition } = resource;
      if (definition.kind === kind && apiVersionOf(definition) === apiVersion) return resource;
    }
    return undefined;
  }

  /** The other served versions of a resource's kind. */
  equivalentsOf({ storageName, definition: { version } }: ServedResource): readonly ServedResource[] {
    const versions = this.#byStorageName.get(storageName);
    if (versions === undefined || versions.size < 2) return [];
    return [...versions.values()].filter((resource) => resource.definition.version !== version);
  }

  /** Adds a resource, or puts it in the place of the one with the same group, version and plural. */
  add(resource: ServedResource): void {
    const { group, version, plural } = resource.definition;
    if (!this.#byPath.has(pathOf(group, version, plural))) this.#count(group, version, 1);
    this.#byPath.set(pathOf(group, version, plural), resource);
    const versions = this.#byStorageName.get(resource.storageName) ?? new Map<string, ServedResource>();
    this.#byStorageName.set(resource.storageName, versions.set(version, resource));
    this.#version += 1;
  }

  remove({ storageName, definition: { group, version, plural } }: ServedResource): void {
    if (!this.#byPath.delete(pathOf(group, version, plural))) return;
    this.#byStorageName.get(storageName)?.delete(version);
    this.#count(group, version, -1);
    this.#version += 1;
  }

  #count(group: string, version: string, change: number): void {
    const key = `${group}/${version}`;
    const count = (this.#groupVersions.get(key) ?? 0) + change;
    if (count === 0) this.#groupVersions.delete(key);
    else this.#groupVersions.set(key, count);
  }
}

function pathOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
