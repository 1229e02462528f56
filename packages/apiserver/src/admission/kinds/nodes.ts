/** Plugins about nodes and the pods on them: new nodes are not ready, and pods carry the topology of their node. */
import type { Binding, Node, Pod, Taint } from "@kubewright/api/core/v1";
import { type ApiObject, withMetadata } from "../../resource/object.ts";
import type { ObjectReader } from "../../resource/strategy.ts";
import type { AdmissionPlugin } from "../admission.ts";
import { withSpec } from "./pods.ts";

const NOT_READY: Taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
const TOPOLOGY_LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** TaintNodesByCondition: nothing is scheduled to a new node before somebody has found it ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  resources: new Set(["nodes"]),
  mutate(object, { operation, subresource }) {
    if (operation !== "CREATE" || subresource !== "") return object;
    const taints = (object as unknown as Node).spec?.taints ?? [];
    const isTainted = taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect);
    return isTainted ? object : withSpec(object, { taints: [...taints, NOT_READY] });
  },
};

/** PodTopologyLabels: a pod on a node, or about to be bound to it, gets the labels that say where the node is. */
export const podTopologyLabels: AdmissionPlugin = {
  name: "PodTopologyLabels",
  resources: new Set(["pods"]),
  mutate(object, { operation, subresource, reader }) {
    if (operation !== "CREATE") return object;
    if (subresource === "binding") return withTopology(object, targetOf(object), reader);
    return subresource === "" ? withTopology(object, (object as unknown as Pod).spec?.nodeName ?? "", reader) : object;
  },
};

function targetOf(object: ApiObject): string {
  const { target } = object as unknown as Binding;
  return target?.kind === "Node" ? (target.name ?? "") : "";
}

function withTopology(object: ApiObject, nodeName: string, reader: ObjectReader): ApiObject {
  const labels = nodeName === "" ? {} : (reader.get("nodes", "", nodeName)?.metadata.labels ?? {});
  const copied = Object.entries(labels).filter(([name]) => TOPOLOGY_LABELS.includes(name));
  if (copied.length === 0) return object;
  return withMetadata(object, { labels: { ...object.metadata.labels, ...Object.fromEntries(copied) } });
}
