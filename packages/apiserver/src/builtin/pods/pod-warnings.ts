/** What the server warns of in pods and pod templates: what is allowed but surely not meant. */
import type { Container, ContainerPort, EnvVar, PodSpec } from "@kubewright/api/core/v1";
import { deepEqual, type JsonObject } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { objectOf } from "../defaults/fill.ts";

/** Warnings about a spec at `field`; `current` is the stored one. */
export function podWarnings(field: string, spec: PodSpec, _current: PodSpec | undefined): string[] {
  const lists = [
    ["initContainers", spec.initContainers ?? []],
    ["containers", spec.containers ?? []],
  ] as const;
  return [
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ labelSelector }, index) =>
      labelSelector === undefined
        ? [
            `${field}.topologySpreadConstraints[${index}].labelSelector: a null labelSelector results in matching no pod`,
          ]
        : [],
    ),
    ...repeatedNames(`${field}.imagePullSecrets`, spec.imagePullSecrets ?? []),
    ...lists.flatMap(([list, containers]) =>
      containers.flatMap((container, index) =>
        repeatedVariables(`${field}.${list}[${index}].env`, container.env ?? []),
      ),
    ),
    ...repeatedPorts(`${field}.containers`, spec.containers ?? []),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
  ];
}

/** Warnings about the pod template of a workload; `path` leads to its spec. */
export function templateWarnings(
  ...path: readonly string[]
): (object: ApiObject, current: ApiObject | undefined) => string[] {
  const specOf = (object: JsonObject): JsonObject =>
    path.reduce<JsonObject>((value, name) => objectOf(value[name]), object);
  return (object, current) => {
    const spec = specOf(object);
    if (current !== undefined && deepEqual(spec, specOf(current))) return [];
    return podWarnings(path.join("."), spec as unknown as PodSpec, undefined);
  };
}

function repeatedNames(field: string, items: readonly { readonly name?: string }[]): string[] {
  const seen = new Set<string>();
  return items.flatMap(({ name = "" }, index) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [`${field}[${index}].name: duplicate name ${JSON.stringify(name)}`] : [];
  });
}

/** A variable that hides an earlier one without referring to it. */
function repeatedVariables(field: string, variables: readonly EnvVar[]): string[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, value = "", valueFrom }, index) => {
    const reference = `$(${name})`;
    const hides = seen.has(name) && (valueFrom !== undefined || value === reference || !value.includes(reference));
    seen.add(name);
    return hides
      ? [
          `${field}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
        ]
      : [];
  });
}

function repeatedPorts(field: string, containers: readonly Container[]): string[] {
  const seen = new Map<string, { readonly place: string; readonly port: ContainerPort }[]>();
  return containers.flatMap(({ ports = [] }, container) =>
    ports.flatMap((port, index) => {
      const place = `${field}[${container}].ports[${index}]`;
      const key = `${port.containerPort}/${port.protocol}`;
      const others = seen.get(key) ?? [];
      seen.set(key, [...others, { place, port }]);
      return others.flatMap((other) => overlap(place, port, other));
    }),
  );
}

function overlap(
  place: string,
  port: ContainerPort,
  other: { readonly place: string; readonly port: ContainerPort },
): string[] {
  const [hostPort, otherHostPort] = [port.hostPort ?? 0, other.port.hostPort ?? 0];
  if ((port.hostIP ?? "") === (other.port.hostIP ?? "") && hostPort === otherHostPort) {
    return [`${place}: duplicate port definition with ${other.place}`];
  }
  return hostPort === 0 || otherHostPort === 0 ? [`${place}: overlapping port definition with ${other.place}`] : [];
}
