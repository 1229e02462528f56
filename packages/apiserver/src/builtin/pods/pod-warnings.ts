/** What pods and templates are warned about: names and labels from before, and what is said twice. */
import type { EnvVar, PodAffinityTerm, PodSpec, Volume, WeightedPodAffinityTerm } from "@kubewright/api/core/v1";
import { type JsonObject, parseQuantity, quantityToBigint, validateDnsLabel } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { objectOf } from "../defaults/fill.ts";
import { alikeSpec } from "../validation/alike-specs.ts";
import { containersWithPaths, sortedEntries } from "../validation/fields.ts";
import { nodeLabelWarnings, oldNodeLabel } from "./node-label-warnings.ts";
import { portWarnings } from "./port-warnings.ts";

/** Sources of volumes that are no longer served, by the name under which they are told. */
const DEPRECATED_VOLUMES: readonly (readonly [keyof Volume, string, string])[] = [
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
];
const WHOLE_BYTES = ["memory", "ephemeral-storage"];
const NO_SELECTOR = "a null labelSelector results in matching no pod";

/** Warnings about a spec at `field`. One that needs none needs none wherever it comes again. */
export function podWarnings(field: string, spec: PodSpec): readonly string[] {
  const alike = alikeSpec(spec);
  if (quietSpecs.has(alike)) return [];
  const warnings = warningsOf(field, spec);
  if (warnings.length === 0) quietSpecs.add(alike);
  return warnings;
}

const quietSpecs = new WeakSet<PodSpec>();

function warningsOf(field: string, spec: PodSpec): readonly string[] {
  return [
    ...nodeLabelWarnings(field, spec),
    ...spreadWarnings(`${field}.topologySpreadConstraints`, spec),
    ...(spec.volumes ?? []).flatMap((volume, index) =>
      DEPRECATED_VOLUMES.filter(([source]) => volume[source] != null).map(
        ([, name, why]) => `${field}.volumes[${index}].${name}: ${why}`,
      ),
    ),
    ...repeated(
      `${field}.hostAliases`,
      "ip",
      (spec.hostAliases ?? []).map(({ ip = "" }) => ip),
    ),
    ...repeated(
      `${field}.imagePullSecrets`,
      "name",
      (spec.imagePullSecrets ?? []).map(({ name = "" }) => name),
    ),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name = "" }, index) =>
      name === "" ? [`${field}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...fractions(`${field}.overhead`, spec.overhead),
    ...containersWithPaths(field, spec).flatMap(([at, { resources, env }]) => [
      ...fractions(`${at}.resources.limits`, resources?.limits),
      ...fractions(`${at}.resources.requests`, resources?.requests),
      ...hiddenVariables(`${at}.env`, env ?? []),
    ]),
    ...portWarnings(field, spec),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(`${field}.affinity`, spec),
  ];
}

/** A warning about the name of a new object that pods are named after. */
export function nameWarnings(
  { metadata: { name = "" } }: ApiObject,
  current: ApiObject | undefined,
  usedIn = "Pod names and hostnames",
): readonly string[] {
  const problems = current === undefined ? validateDnsLabel(name) : [];
  if (problems.length === 0) return [];
  const use = `metadata.name: this is used in ${usedIn}, which can result in surprising behavior`;
  return [`${use}; a DNS label is recommended: [${problems.join(" ")}]`];
}

/** Warnings about the pod template of a workload; `path` leads to its spec. Updates count when they make a generation. */
export function templateWarnings(
  ...path: readonly string[]
): (object: ApiObject, current: ApiObject | undefined) => readonly string[] {
  const specOf = (object: JsonObject): JsonObject =>
    path.reduce<JsonObject>((value, name) => objectOf(value[name]), object);
  return (object, current) => {
    if (current !== undefined && object.metadata.generation === current.metadata.generation) return [];
    return podWarnings(path.join("."), specOf(object) as unknown as PodSpec);
  };
}

function spreadWarnings(field: string, { topologySpreadConstraints }: PodSpec): readonly string[] {
  return (topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, index) => [
    ...oldNodeLabel(`${field}[${index}].topologyKey`, topologyKey),
    ...(labelSelector == null ? [`${field}[${index}].labelSelector: ${NO_SELECTOR}`] : []),
  ]);
}

function affinityWarnings(field: string, { affinity }: PodSpec): readonly string[] {
  return (["podAffinity", "podAntiAffinity"] as const).flatMap((kind) => {
    const { requiredDuringSchedulingIgnoredDuringExecution, preferredDuringSchedulingIgnoredDuringExecution } =
      affinity?.[kind] ?? {};
    const required = (requiredDuringSchedulingIgnoredDuringExecution ?? []) as readonly PodAffinityTerm[];
    const preferred = (preferredDuringSchedulingIgnoredDuringExecution ?? []) as readonly WeightedPodAffinityTerm[];
    const hard = `${field}.${kind}.requiredDuringSchedulingIgnoredDuringExecution`;
    const soft = `${field}.${kind}.preferredDuringSchedulingIgnoredDuringExecution`;
    return [
      ...required.flatMap(({ labelSelector }, index) =>
        labelSelector == null ? [`${hard}[${index}].labelSelector: ${NO_SELECTOR}`] : [],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        podAffinityTerm?.labelSelector == null
          ? [`${soft}[${index}].podAffinityTerm.labelSelector: ${NO_SELECTOR}`]
          : [],
      ),
    ];
  });
}

function repeated(field: string, name: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) < index ? [`${field}[${index}].${name}: duplicate ${name} ${JSON.stringify(value)}`] : [],
  );
}

function fractions(field: string, resources: Readonly<Record<string, string | number>> | undefined): readonly string[] {
  return sortedEntries(resources)
    .filter(([name, size]) => {
      return WHOLE_BYTES.includes(name) && quantityToBigint(parseQuantity(String(size)), -3) % 1000n !== 0n;
    })
    .map(([name, size]) => `${field}[${name}]: fractional byte value "${size}" is invalid, must be an integer`);
}

/** A variable that hides an earlier one without referring to it. */
function hiddenVariables(field: string, variables: readonly EnvVar[]): readonly string[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, value = "", valueFrom }, index) => {
    const reference = `$(${name})`;
    const hides = seen.has(name) && (valueFrom !== undefined || value === reference || !value.includes(reference));
    seen.add(name);
    const text = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return hides ? [`${field}[${index}]: ${text}`] : [];
  });
}
