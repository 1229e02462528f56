/** The kinds of the benchmark: where Widgets and their ConfigMaps are, what a Widget is, and when the two are as they should be. */
import type { JsonObject } from "./api.ts";

/** The namespace of everything, unless operators share a server. */
export const NAMESPACE = "bench";

/** The path of the Widgets, or of one. */
export function widgetPath(name?: string, namespace: string = NAMESPACE): string {
  return below(`/apis/bench.example.com/v1/namespaces/${namespace}/widgets`, name);
}

/** The path of the ConfigMaps, or of one. */
export function configMapPath(name?: string, namespace: string = NAMESPACE): string {
  return below(`/api/v1/namespaces/${namespace}/configmaps`, name);
}

/** The ConfigMaps that operators make, told from those of Kubernetes by their label. */
export const OWN_CONFIG_MAPS = "labelSelector=app%3Dbench";

/** The name of the Widget with that number; all are equally long, so that stored bytes can be copied (etcd.ts). */
export function widgetName(number: number): string {
  return `w-${String(number).padStart(6, "0")}`;
}

/** A Widget as a user creates it. */
export function widget(name: string, namespace: string = NAMESPACE): JsonObject {
  const metadata = { name, namespace };
  return { apiVersion: "bench.example.com/v1", kind: "Widget", metadata, spec: { size: 3, message: "hello" } };
}

/** The parts of an object that are looked at. */
interface Parts {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly uid: string;
      readonly kind: string;
      readonly controller?: boolean;
    }[];
  };
  readonly spec?: { readonly size: number; readonly message: string };
  readonly status?: { readonly ready?: boolean; readonly observedGeneration?: number };
  readonly data?: Readonly<Record<string, string>>;
}

/** What is wrong with the end state, one line for each Widget that is not as it should be. */
export function endStateProblems(widgets: readonly JsonObject[], configMaps: readonly JsonObject[]): readonly string[] {
  const byName = new Map(
    configMaps.map((each) => [(each as unknown as Parts).metadata.name, each as unknown as Parts]),
  );
  return widgets.flatMap((each) => {
    const one = each as unknown as Parts;
    const problem = problemOf(one, byName.get(one.metadata.name));
    return problem === undefined ? [] : [`${one.metadata.name}: ${problem}`];
  });
}

function problemOf({ metadata, spec, status }: Parts, configMap: Parts | undefined): string | undefined {
  if (status?.ready !== true) return "its status is not ready";
  if (status.observedGeneration !== metadata.generation) return "its status is of another generation";
  if (configMap === undefined) return "it has no ConfigMap";
  const owner = configMap.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.uid !== metadata.uid || owner.kind !== "Widget") return "it does not control its ConfigMap";
  if (configMap.metadata.labels?.["app"] !== "bench") return "its ConfigMap has no label";
  const { message, size } = configMap.data ?? {};
  return message === spec?.message && size === String(spec?.size) ? undefined : "its ConfigMap has other data";
}

function below(path: string, name: string | undefined): string {
  return name === undefined ? path : `${path}/${name}`;
}
