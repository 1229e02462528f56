/** Rows of pods and pod templates. */
import { formatAge } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { containerCells, formatLabels } from "../cells.ts";
import { age, type KindPrinter, nameOf, type PrintContext, parseColumns, printer } from "../columns.ts";
import { itemOfType, listAt, textAt } from "../fields.ts";
import { summarizePod } from "./pod-status.ts";

/** Printers by qualified resource name. */
export const podPrinters: Readonly<Record<string, KindPrinter>> = {
  pods: {
    columns: parseColumns("Name|Ready|Status|Restarts|Age|IP*|Node*|Nominated Node*|Readiness Gates*"),
    print: (pod, context) => ({ cells: podCells(pod, context), conditions: podConditions(pod) }),
  },
  podtemplates: printer("Name|Containers|Images|Pod Labels", (template) => [
    nameOf(template),
    ...containerCells(template, "template.spec.containers"),
    formatLabels(template, "template.metadata.labels"),
  ]),
};

function podCells(pod: ApiObject, context: PrintContext): readonly string[] {
  const { ready, total, status, restarts, lastRestartMs } = summarizePod(pod);
  const ago = lastRestartMs === undefined || restarts === 0 ? "" : ` (${formatAge(context.nowMs - lastRestartMs)} ago)`;
  return [
    nameOf(pod),
    `${ready}/${total}`,
    status,
    `${restarts}${ago}`,
    age(pod, context),
    textAt(listAt(pod, "status.podIPs")[0], "ip", "<none>"),
    textAt(pod, "spec.nodeName", "<none>"),
    textAt(pod, "status.nominatedNodeName", "<none>"),
    readinessGates(pod),
  ];
}

function readinessGates(pod: ApiObject): string {
  const gates = listAt(pod, "spec.readinessGates").map((gate) => textAt(gate, "conditionType"));
  if (gates.length === 0) return "<none>";
  const conditions = listAt(pod, "status.conditions");
  const open = gates.filter((gate) => textAt(itemOfType(conditions, gate), "status") === "True");
  return `${open.length}/${gates.length}`;
}

/** `kubectl get -w` and others may leave out rows of pods that are over. */
function podConditions(pod: ApiObject) {
  const completed = { type: "Completed", status: "True" };
  switch (textAt(pod, "status.phase")) {
    case "Succeeded":
      return [{ ...completed, reason: "Succeeded", message: "The pod has completed successfully." }];
    case "Failed":
      return [{ ...completed, reason: "Failed", message: "The pod failed." }];
    default:
      return [];
  }
}
