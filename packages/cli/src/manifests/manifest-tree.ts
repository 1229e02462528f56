/**
 * The kustomize tree in config/, as data: CRDs, RBAC, the operator and what surrounds it, all derived from the code and
 * kubewright.config.ts. The same input gives the same tree. plan-manifests.ts brings it to disk.
 */
import type { JsonObject } from "@kubewright/core/meta";
import { type CustomResource, toCrd } from "@kubewright/core/schema";
import type { LoadedConfig } from "../project/load-config.ts";
import type { OperatorProject } from "../project/load-operator.ts";
import { managerObject, metricsService, namespaceObject, networkPolicy, serviceMonitor } from "./manager.ts";
import { kindRoles, rbacObjects, refuseClusterKinds } from "./rbac.ts";

/** One folder of config/: the objects in it, by the names of their files. */
export interface ManifestFolder {
  /** "rbac" */
  readonly name: string;
  readonly objects: readonly (readonly [file: string, object: JsonObject])[];
  /** Whether `config/default` installs it. */
  readonly installed: boolean;
}

/** The folders of config/ that hold objects. */
export function manifestFolders(config: LoadedConfig, project: OperatorProject): readonly ManifestFolder[] {
  refuseClusterKinds(config, project.resources);
  const kinds = [...crdsOf(project.resources)];
  return [
    {
      name: "crd",
      objects: kinds.map(([crd, { group, plural }]) => [`bases/${group}_${plural}.yaml`, crd]),
      installed: true,
    },
    { name: "manager", objects: managerFiles(config), installed: true },
    {
      name: "rbac",
      objects: [
        ...rbacObjects(config, project.operator.controllers),
        ...kinds.flatMap(([, resource]) => kindRoles(config, resource)),
      ],
      installed: true,
    },
    { name: "network-policy", objects: [["allow_metrics.yaml", networkPolicy(config)]], installed: true },
    { name: "prometheus", objects: [["monitor.yaml", serviceMonitor(config)]], installed: config.prometheus },
  ];
}

function managerFiles(config: LoadedConfig): readonly (readonly [string, JsonObject])[] {
  return [
    ["namespace.yaml", namespaceObject(config)],
    ["manager.yaml", managerObject(config)],
    ["metrics_service.yaml", metricsService(config)],
  ];
}

/** The CRDs of a project, each with the newest version of its kind, by name. */
export function crdsOf(resources: readonly CustomResource[]): readonly (readonly [JsonObject, CustomResource])[] {
  const byName = Map.groupBy(resources, ({ plural, group }) => `${plural}.${group}`);
  return [...byName.values()]
    .flatMap((versions) => {
      const newest = versions.at(-1);
      // A CRD is plain JSON; its interface only has no index signature.
      return newest === undefined ? [] : [[toCrd(versions) as unknown as JsonObject, newest] as const];
    })
    .toSorted(([, left], [, right]) => (`${left.group}_${left.plural}` < `${right.group}_${right.plural}` ? -1 : 1));
}
