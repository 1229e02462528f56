/** Defaults of pods and of everything inside pod templates. */
import type { DefaultRules } from "@kubewright/api/defaults";
import { isJsonArray, isJsonObject, type Json, type JsonObject, mapItems } from "@kubewright/core/meta";
import { withPodRequests } from "../validation/pod-resources.ts";
import { change, fill, fillKeys, fillZero, hasContent, objectOf, objectsOf, withField } from "./fill.ts";

const FILE_MODE = 0o644;
const SERVICE_ACCOUNT_TOKEN_SECONDS = 3600;

/** Rules for the types of pods. */
export const podRules: DefaultRules = new Map([
  ["core/v1.Pod", defaultPod],
  ["core/v1.PodSpec", defaultPodSpec],
  ["core/v1.PodStatus", (status) => withList(status, { one: "podIP", many: "podIPs", item: (ip) => ({ ip }) })],
  ["core/v1.NodeSpec", (spec) => withList(spec, { one: "podCIDR", many: "podCIDRs", item: (range) => range })],
  ["core/v1.Container", defaultContainer],
  ["core/v1.EphemeralContainerCommon", defaultContainer],
  ["core/v1.Volume", defaultVolume],
  [
    "core/v1.Probe",
    (probe) => fillZero(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  ],
  ["core/v1.HTTPGetAction", (action) => fill(action, { path: "/", scheme: "HTTP" })],
  [
    "core/v1.GRPCAction",
    (action) => ((action["service"] ?? undefined) === undefined ? { ...action, service: "" } : action),
  ],
  ["core/v1.ObjectFieldSelector", (selector) => fill(selector, { apiVersion: "v1" })],
  ["core/v1.SecretVolumeSource", (source) => fill(source, { defaultMode: FILE_MODE })],
  ["core/v1.ConfigMapVolumeSource", (source) => fill(source, { defaultMode: FILE_MODE })],
  ["core/v1.DownwardAPIVolumeSource", (source) => fill(source, { defaultMode: FILE_MODE })],
  ["core/v1.ProjectedVolumeSource", (source) => fill(source, { defaultMode: FILE_MODE })],
  [
    "core/v1.ServiceAccountTokenProjection",
    (source) => fill(source, { expirationSeconds: SERVICE_ACCOUNT_TOKEN_SECONDS }),
  ],
  ["core/v1.HostPathVolumeSource", (source) => fill(source, { type: "" })],
  ["core/v1.PersistentVolumeClaimSpec", (spec) => fill(spec, { volumeMode: "Filesystem" })],
]);

interface ListedField {
  readonly one: string;
  readonly many: string;
  readonly item: (value: string) => Json;
}

/** A field that became a list later: whoever writes only one of both writes both. */
function withList(struct: JsonObject, { one, many, item }: ListedField): JsonObject {
  const value = struct[one];
  if (typeof value === "string" && value !== "" && !hasContent(struct[many])) {
    return withField(struct, many, [item(value)]);
  }
  return struct;
}

/** What only pods get, not templates: they would change the templates that controllers compare. */
function defaultPod(pod: JsonObject, known: JsonObject): JsonObject {
  if (pod["spec"] !== undefined && pod["spec"] === known["spec"]) return pod;
  return change(pod, "spec", (spec) => {
    const linked = withoutNegativeGrace(fill(spec, { enableServiceLinks: true }));
    const requested = withPodRequests(mapContainers(linked, requestLimits));
    return spec["hostNetwork"] === true ? mapContainers(requested, exposeOnHost) : requested;
  });
}

/** Kubelets cannot wait for less than nothing. */
function withoutNegativeGrace(spec: JsonObject): JsonObject {
  const seconds = spec["terminationGracePeriodSeconds"];
  return typeof seconds === "number" && seconds < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

function mapContainers(spec: JsonObject, changed: (container: JsonObject) => JsonObject): JsonObject {
  return mapList(mapList(spec, "containers", changed), "initContainers", changed);
}

function mapList(struct: JsonObject, list: string, changed: (item: JsonObject) => JsonObject): JsonObject {
  const before = struct[list];
  if (!isJsonArray(before)) return struct;
  const after = mapItems(before, (item) => (isJsonObject(item) ? changed(item) : item));
  return after === before ? struct : withField(struct, list, after);
}

/** A limit without a request is also the request. */
function requestLimits(container: JsonObject): JsonObject {
  const { limits, requests } = objectOf(container["resources"]);
  if (!isJsonObject(limits)) return container;
  return change(container, "resources", (resources) => ({ ...resources, requests: fillKeys(requests, limits) }));
}

function exposeOnHost(container: JsonObject): JsonObject {
  if (!hasContent(container["ports"])) return container;
  const ports = objectsOf(container["ports"]).map((port) => fillZero(port, { hostPort: port["containerPort"] }));
  return { ...container, ports };
}

const POD_SPEC_DEFAULTS: JsonObject = {
  dnsPolicy: "ClusterFirst",
  restartPolicy: "Always",
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  schedulerName: "default-scheduler",
};

function defaultPodSpec(spec: JsonObject): JsonObject {
  const account = spec["serviceAccountName"] || spec["serviceAccount"];
  const filled = fill(spec, POD_SPEC_DEFAULTS);
  if (!account || (spec["serviceAccount"] === account && spec["serviceAccountName"] === account)) return filled;
  return { ...filled, serviceAccountName: account, serviceAccount: account };
}

function defaultContainer(container: JsonObject): JsonObject {
  return fill(withoutStopSignal(container), {
    imagePullPolicy: container["imagePullPolicy"] || pullPolicyOf(container["image"]),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
}

/** Kubernetes knows the field, and drops it until it is served. */
function withoutStopSignal(container: JsonObject): JsonObject {
  if (!isJsonObject(container["lifecycle"])) return container;
  const { stopSignal, ...hooks } = container["lifecycle"];
  if (stopSignal === undefined) return container;
  const { lifecycle: _, ...rest } = container;
  return Object.keys(hooks).length === 0 ? rest : { ...rest, lifecycle: hooks };
}

function defaultVolume(volume: JsonObject): JsonObject {
  const hasSource = Object.keys(volume).some((key) => key !== "name" && (volume[key] ?? null) !== null);
  if (!hasSource) return { ...volume, emptyDir: {} };
  if (!isJsonObject(volume["image"])) return volume;
  return change(volume, "image", (image) => fill(image, { pullPolicy: pullPolicyOf(image["reference"]) }));
}

/** Images that may move are pulled always: those tagged "latest", by name or by leaving out both tag and digest. */
function pullPolicyOf(image: unknown): string {
  const reference = typeof image === "string" ? image : "";
  // Names that cannot be parsed are refused later; they are no moving images.
  if (!/^[\w.\-:/@+]+$/.test(reference)) return "IfNotPresent";
  const [withTag = "", digest] = reference.split("@", 2);
  const lastPart = withTag.slice(withTag.lastIndexOf("/") + 1);
  const tag = lastPart.includes(":") ? lastPart.slice(lastPart.indexOf(":") + 1) : undefined;
  const isLatest = tag === "latest" || (tag === undefined && digest === undefined);
  return isLatest ? "Always" : "IfNotPresent";
}
