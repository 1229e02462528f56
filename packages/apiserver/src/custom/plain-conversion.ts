/**
 * Conversion of custom resources without a webhook: only apiVersion changes, and what the schema of the other version does not know
 * is dropped. An object has the defaults of the version it was written in and those of the stored one, never those of the version
 * it is read in. custom-resources.ts makes one converter per CRD.
 */
import type { Crd } from "@kubewright/core/schema";
import { withFields } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import { settle } from "./custom-resource-strategy.ts";
import { loadEngine, loadedEngine } from "./engine.ts";

/** The converter of a CRD; undefined when it has but one version. */
export function createPlainConversion({ spec }: Crd): ServedResource["convert"] | undefined {
  const { group, versions } = spec;
  if (versions.length === 1) return undefined;
  const schemas = new Map(versions.map(({ name, schema }) => [`${group}/${name}`, schema?.openAPIV3Schema ?? {}]));
  const storage = versions.find((version) => version.storage)?.name ?? "";
  return async (objects, apiVersion) => {
    await loadEngine();
    const schema = schemas.get(apiVersion) ?? {};
    return objects.map((object) => {
      const settled = settle(object, schemas.get(object.apiVersion) ?? {});
      const moved = withFields(settled, { apiVersion });
      return apiVersion === `${group}/${storage}` ? settle(moved, schema) : loadedEngine().prune(moved, schema).value;
    });
  };
}
