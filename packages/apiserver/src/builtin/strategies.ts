/**
 * The strategies of the built-in kinds. Every kind has one; what is particular to a kind stands in the file that the
 * table below names, and a kind without a line there is defaulted and stored as all are.
 */
import { type BuiltinResource, builtinGroups } from "@kubewright/api/discovery";
import { formatGroupResource } from "@kubewright/core/meta";
import type { Strategies } from "../registry/builtin-resources.ts";
import type { Strategy } from "../resource/strategy.ts";
import type { Storage } from "../storage/storage.ts";
import { configMapParticulars, secretParticulars } from "./configuration.ts";
import { type KindParticulars, kindStrategy } from "./kind-strategy.ts";
import { namespaceParticulars } from "./namespaces.ts";
import { nodeParticulars } from "./nodes.ts";
import { podParticulars } from "./pods/pods.ts";
import { bindingParticulars, roleParticulars } from "./roles.ts";
import { AddressStock } from "./services/address-stock.ts";
import { serviceParticulars } from "./services/services.ts";
import { claimParticulars } from "./storage/claims.ts";
import { storageClassParticulars, volumeParticulars } from "./storage/volumes.ts";
import { daemonSetParticulars } from "./workloads/daemon-sets.ts";
import { deploymentParticulars } from "./workloads/deployments.ts";
import {
  controllerRevisionParticulars,
  replicaSetParticulars,
  replicationControllerParticulars,
} from "./workloads/sets.ts";
import { statefulSetParticulars } from "./workloads/stateful-sets.ts";

/** What is particular to kinds, by qualified resource name; Services take addresses from a stock of their server. */
const PARTICULARS: ReadonlyMap<string, KindParticulars> = new Map([
  ["configmaps", configMapParticulars],
  ["namespaces", namespaceParticulars],
  ["nodes", nodeParticulars],
  ["persistentvolumeclaims", claimParticulars],
  ["persistentvolumes", volumeParticulars],
  ["pods", podParticulars],
  ["replicationcontrollers", replicationControllerParticulars],
  ["secrets", secretParticulars],
  ["serviceaccounts", { returnsDeleted: true }],
  ["controllerrevisions.apps", controllerRevisionParticulars],
  ["daemonsets.apps", daemonSetParticulars],
  ["deployments.apps", deploymentParticulars],
  ["replicasets.apps", replicaSetParticulars],
  ["statefulsets.apps", statefulSetParticulars],
  ["clusterrolebindings.rbac.authorization.k8s.io", bindingParticulars(false)],
  ["clusterroles.rbac.authorization.k8s.io", roleParticulars(false)],
  ["rolebindings.rbac.authorization.k8s.io", bindingParticulars(true)],
  ["roles.rbac.authorization.k8s.io", roleParticulars(true)],
  ["storageclasses.storage.k8s.io", storageClassParticulars],
]);

/** All built-in strategies of a server with this storage. */
export function createBuiltinStrategies(storage: Storage): Strategies {
  const particulars = new Map([...PARTICULARS, ["services", serviceParticulars(new AddressStock(storage))]]);
  const strategies = new Map<string, Strategy>();
  for (const { group, versions } of builtinGroups) {
    for (const { version, resources } of versions) {
      for (const resource of resources) {
        const name = formatGroupResource({ group, plural: resource.name });
        const kind = { group, version, kind: resource.kind };
        strategies.set(name, kindStrategy(kind, hasStatus(resource), particulars.get(name) ?? {}));
      }
    }
  }
  return strategies;
}

function hasStatus({ subresources = [] }: BuiltinResource): boolean {
  return subresources.some(({ name }) => name === "status");
}
