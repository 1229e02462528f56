/** Rows of the small kinds of the core: namespaces, nodes, configuration, quotas, leases and classes. */
import { getKey } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { age, type KindPrinter, nameOf, printer } from "../columns.ts";
import { flagAt, itemOfType, listAt, numberAt, objectAt, textAt } from "../fields.ts";

/** Printers by qualified resource name. */
export const corePrinters: Readonly<Record<string, KindPrinter>> = {
  namespaces: printer("Name|Status|Age", (object, context) => [
    nameOf(object),
    textAt(object, "status.phase"),
    age(object, context),
  ]),
  configmaps: printer("Name|Data|Age", (object, context) => [
    nameOf(object),
    keyCount(object, "data") + keyCount(object, "binaryData"),
    age(object, context),
  ]),
  secrets: printer("Name|Type|Data|Age", (object, context) => [
    nameOf(object),
    textAt(object, "type"),
    keyCount(object, "data"),
    age(object, context),
  ]),
  serviceaccounts: printer("Name|Age", (object, context) => [nameOf(object), age(object, context)]),
  nodes: printer(
    "Name|Status|Roles|Age|Version|Internal-IP*|External-IP*|OS-Image*|Kernel-Version*|Container-Runtime*",
    (object, context) => [
      nameOf(object),
      nodeStatus(object),
      nodeRoles(object),
      age(object, context),
      textAt(object, "status.nodeInfo.kubeletVersion"),
      nodeAddress(object, "InternalIP"),
      nodeAddress(object, "ExternalIP"),
      textAt(object, "status.nodeInfo.osImage", "<unknown>"),
      nodeKernel(object),
      textAt(object, "status.nodeInfo.containerRuntimeVersion", "<unknown>"),
    ],
  ),
  resourcequotas: printer("Name|Request|Limit|Age", (object, context) => [
    nameOf(object),
    quotaCell(object, (resource) => !resource.startsWith("limits.")),
    quotaCell(object, (resource) => resource.startsWith("limits.")),
    age(object, context),
  ]),
  componentstatuses: printer("Name|Status|Message|Error", (object) => {
    const healthy = itemOfType(listAt(object, "conditions"), "Healthy");
    const status = textAt(healthy, "status") === "True" ? "Healthy" : "Unhealthy";
    return [
      nameOf(object),
      healthy === undefined ? "Unknown" : status,
      textAt(healthy, "message"),
      textAt(healthy, "error"),
    ];
  }),
  "leases.coordination.k8s.io": printer("Name|Holder|Age", (object, context) => [
    nameOf(object),
    textAt(object, "spec.holderIdentity"),
    age(object, context),
  ]),
  "priorityclasses.scheduling.k8s.io": printer(
    "Name|Value:integer|Global-Default:boolean|Age|PreemptionPolicy",
    (object, context) => [
      nameOf(object),
      numberAt(object, "value"),
      flagAt(object, "globalDefault"),
      age(object, context),
      textAt(object, "preemptionPolicy"),
    ],
  ),
  "runtimeclasses.node.k8s.io": printer("Name|Handler|Age", (object, context) => [
    nameOf(object),
    textAt(object, "handler"),
    age(object, context),
  ]),
};

function keyCount(object: ApiObject, path: string): number {
  return Object.keys(objectAt(object, path)).length;
}

function nodeStatus(node: ApiObject): string {
  const ready = itemOfType(listAt(node, "status.conditions"), "Ready");
  const status = ready === undefined ? "Unknown" : textAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return flagAt(node, "spec.unschedulable") ? `${status},SchedulingDisabled` : status;
}

const ROLE_PREFIX = "node-role.kubernetes.io/";

function nodeRoles({ metadata }: ApiObject): string {
  const labels = Object.entries(metadata.labels ?? {});
  const roles = labels.flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === "kubernetes.io/role" ? value : [];
  });
  return [...new Set(roles.filter((role) => role !== ""))].sort().join(",") || "<none>";
}

function nodeAddress(node: ApiObject, type: string): string {
  return textAt(itemOfType(listAt(node, "status.addresses"), type), "address", "<none>");
}

function nodeKernel(node: ApiObject): string {
  const architecture = textAt(node, "status.nodeInfo.architecture");
  const kernel = textAt(node, "status.nodeInfo.kernelVersion", "<unknown>");
  return architecture === "" ? kernel : `${kernel} (${architecture})`;
}

/** "pods: 1/2, requests.cpu: 500m/1" for the resources that belong into this column. */
function quotaCell(quota: ApiObject, belongs: (resource: string) => boolean): string {
  const [hard, used] = [objectAt(quota, "status.hard"), objectAt(quota, "status.used")];
  return Object.keys(hard)
    .filter(belongs)
    .sort()
    .map((resource) => `${resource}: ${getKey(used, resource) ?? "0"}/${getKey(hard, resource)}`)
    .join(", ");
}
