/** Small plugins about pods: the tolerations that all get, and their priority. */
import type { Pod, Toleration } from "@kubewright/api/core/v1";
import type { PriorityClass } from "@kubewright/api/scheduling/v1";
import { type ApiObject, withFields } from "../../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest, MutatingRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";

const PODS: ReadonlySet<string> = new Set(["pods"]);
const TAINTS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const TOLERATED_SECONDS = 300;

/** DefaultTolerationSeconds: pods stay 300 seconds on nodes that are gone, unless they say otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  resources: PODS,
  mutate(object, { subresource }) {
    if (subresource !== "") return object;
    const { tolerations = [] } = (object as unknown as Pod).spec ?? {};
    const missing = TAINTS.filter((taint) => !(tolerations ?? []).some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return object;
    const added = missing.map((key) => ({
      key,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: TOLERATED_SECONDS,
    }));
    return withSpec(object, { tolerations: [...(tolerations ?? []), ...added] });
  },
};

function tolerates({ key = "", effect }: Toleration, taint: string): boolean {
  return (key === "" || key === taint) && (effect === undefined || effect === "NoExecute");
}

const SYSTEM_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ["system-cluster-critical", 2_000_000_000],
  ["system-node-critical", 2_000_001_000],
]);
const CLASSES = "priorityclasses.scheduling.k8s.io";

/** Priority: pods get the number of their priority class; only one class is the default. */
export const priority: AdmissionPlugin = {
  name: "Priority",
  resources: new Set(["pods", CLASSES]),
  mutate(object, request) {
    if (request.subresource !== "" || request.resource.storageName !== "pods") return object;
    return request.operation === "CREATE" ? withPriority(object, request) : keepPriority(object, request);
  },
  validate(request) {
    const { object, resource, reader } = request;
    if (resource.storageName !== CLASSES || object?.["globalDefault"] !== true) return;
    const classes = reader.list(CLASSES, "") as unknown as readonly PriorityClass[];
    const other = classes.find((each) => each.globalDefault && each.metadata?.name !== object.metadata.name);
    if (other === undefined) return;
    throw refusal(
      request,
      `PriorityClass ${other.metadata?.name} is already marked as default. Only one default can exist`,
    );
  },
};

function withPriority(pod: ApiObject, request: MutatingRequest): ApiObject {
  const { spec } = pod as unknown as Pod;
  const found = findClass(spec?.priorityClassName ?? "", request);
  const { value, preemptionPolicy = "PreemptLowerPriority", name } = found;
  if (spec?.priority != null && spec.priority !== value) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw refusal(request, why);
  }
  if (spec?.preemptionPolicy != null && spec.preemptionPolicy !== preemptionPolicy) {
    const why = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
    throw refusal(request, why);
  }
  return withSpec(pod, { ...(name === "" ? {} : { priorityClassName: name }), priority: value, preemptionPolicy });
}

function findClass(
  name: string,
  request: AdmissionRequest,
): { value: number; preemptionPolicy?: string; name: string } {
  const classes = request.reader;
  if (name === "") {
    const all = classes.list(CLASSES, "") as unknown as readonly PriorityClass[];
    const defaults = all.filter((each) => each.globalDefault === true);
    const [lowest] = defaults.sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
    return lowest === undefined ? { value: 0, name: "" } : fromClass(lowest);
  }
  const found = classes.get(CLASSES, "", name) as unknown as PriorityClass | undefined;
  if (found !== undefined) return fromClass(found);
  const system = SYSTEM_PRIORITIES.get(name);
  if (system === undefined) throw refusal(request, `no PriorityClass with name ${name} was found`);
  return { value: system, name };
}

function fromClass({ value = 0, preemptionPolicy, metadata }: PriorityClass): ReturnType<typeof findClass> {
  return { value, name: metadata?.name ?? "", ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }) };
}

/** An update that leaves the priority out means the one the pod has. */
function keepPriority(pod: ApiObject, { oldObject }: AdmissionRequest): ApiObject {
  const { spec } = pod as unknown as Pod;
  const { spec: before } = oldObject as unknown as Pod;
  const kept = {
    ...(spec?.priority == null && before?.priority != null && { priority: before.priority }),
    ...(spec?.preemptionPolicy == null &&
      before?.preemptionPolicy != null && { preemptionPolicy: before.preemptionPolicy }),
  };
  return Object.keys(kept).length === 0 ? pod : withSpec(pod, kept);
}

/** The pod with other fields in its spec. */
export function withSpec(object: ApiObject, changes: object): ApiObject {
  return withFields(object, { spec: { ...(object["spec"] as object), ...changes } });
}
