/**
 * Scripts: how the containers of simulated pods behave. A pod whose containers no script mentions starts at once, is
 * ready at once and runs until it is deleted; a pod that is meant to end (restartPolicy other than Always) ends well.
 */
import type { Container, Pod } from "@kubewright/api/core/v1";
import { durationMs } from "@kubewright/core/meta";
import type { Headers } from "@kubewright/core/ports";

/** What a command run in a container answers. */
export interface ExecResult {
  /** @default "" */
  readonly stdout?: string;
  /** @default "" */
  readonly stderr?: string;
  /** @default 0 */
  readonly exitCode?: number;
}

/** What a client says to a command: `kubectl exec -i`. */
export interface ExecInput {
  /** All of it, once the client has closed it; "" when there is none. Waits for ever where nobody closes it. */
  text(): Promise<string>;
  /** It, as it comes. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** An HTTP request to a port of a container. */
export interface PortRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What a port answers. */
export interface PortResponse {
  /** @default 200 */
  readonly status?: number;
  /** @default {} */
  readonly headers?: Headers;
  /** @default "" */
  readonly body?: string;
}

/** What answers HTTP on a port: always the same text, or what a function says. */
export type PortScript = string | ((request: PortRequest, pod: Pod) => PortResponse);

/** How containers behave that match it. The first matching script of a list counts. */
export interface ContainerScript {
  /** Image it applies to, exactly or by pattern. @default any */
  readonly image?: string | RegExp;
  /** Labels that the pod must have. @default {} */
  readonly labels?: Readonly<Record<string, string>>;
  /** Name of the container. @default any */
  readonly container?: string;
  /** The image cannot be pulled: the container never starts. @default false */
  readonly unpullable?: boolean;
  /** How long the container takes to start. @default "0s" */
  readonly startsAfter?: string;
  /** How long it takes to be ready once started; "never" for not at all. @default "0s" */
  readonly readyAfter?: string;
  /** How long it runs before it ends by itself; "forever". @default "forever", or "0s" where the pod is meant to end */
  readonly runsFor?: string;
  /** What it ends with. @default 0 */
  readonly exitCode?: number;
  /** How long it takes to stop when its pod is deleted, at most the pod's grace period. @default "0s" */
  readonly stopsAfter?: string;
  /** What `kubectl logs` shows. @default "" */
  readonly logs?: string | ((pod: Pod, container: string) => string);
  /**
   * What `kubectl exec` answers. @default an error that names this option
   * @example async (_command, _pod, input) => ({ stdout: await input.text() })
   */
  readonly exec?: (command: readonly string[], pod: Pod, input: ExecInput) => ExecResult | Promise<ExecResult>;
  /** What `kubectl attach` answers. @default the logs */
  readonly attach?: (pod: Pod, input: ExecInput) => ExecResult | Promise<ExecResult>;
  /** What answers on which port through `kubectl port-forward`. @default connections are refused */
  readonly ports?: Readonly<Record<number, PortScript>>;
}

/** A script with its times in milliseconds and its defaults filled in. */
export interface Behaviour {
  /** The image has a name that a registry could know. */
  readonly named: boolean;
  readonly pullable: boolean;
  readonly startsAfterMs: number;
  /** Infinity: never. */
  readonly readyAfterMs: number;
  /** Infinity: until deleted. */
  readonly runsForMs: number;
  readonly exitCode: number;
  readonly stopsAfterMs: number;
  readonly script: ContainerScript;
}

/** True for an init container that runs beside the others until they have ended. */
export function isSidecar(container: Pick<Container, "restartPolicy">): boolean {
  return container.restartPolicy === "Always";
}

/** Host and path in lower case, then a tag, a digest or both; long repetitions are cut off by the length of a name. */
const IMAGE_NAME =
  /^([\w.-]+(:\d+)?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:[\w][\w.-]{0,127})?(@[\w+.-]+:[0-9a-fA-F]{32,})?$/;

/** How `container` of `pod` behaves. Init containers are always meant to end, sidecars never. */
export function behaviourOf(
  scripts: readonly ContainerScript[],
  pod: Pod,
  container: Pick<Container, "name" | "image" | "restartPolicy">,
  isInit: boolean,
): Behaviour {
  const script = scripts.find((each) => matches(each, pod, container)) ?? {};
  const ends = isInit ? !isSidecar(container) : (pod.spec?.restartPolicy ?? "Always") !== "Always";
  return {
    named: IMAGE_NAME.test(container.image ?? ""),
    pullable: !script.unpullable,
    startsAfterMs: milliseconds(script.startsAfter) ?? 0,
    readyAfterMs: milliseconds(script.readyAfter) ?? 0,
    runsForMs: milliseconds(script.runsFor) ?? (ends ? 0 : Number.POSITIVE_INFINITY),
    exitCode: script.exitCode ?? 0,
    stopsAfterMs: milliseconds(script.stopsAfter) ?? 0,
    script,
  };
}

function matches(script: ContainerScript, pod: Pod, container: Pick<Container, "name" | "image">): boolean {
  const image = container.image ?? "";
  const imageMatches = typeof script.image === "string" ? script.image === image : (script.image?.test(image) ?? true);
  const labels = Object.entries(script.labels ?? {});
  return (
    imageMatches &&
    (script.container ?? container.name) === container.name &&
    labels.every(([key, value]) => pod.metadata?.labels?.[key] === value)
  );
}

function milliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return text === "forever" || text === "never" ? Number.POSITIVE_INFINITY : durationMs(text);
}
