/**
 * Scaling anything that has a scale subresource, by the reference that specs hold: workloads and custom resources alike.
 * For controllers that scale what others run; the context of a reconcile has all that it takes.
 */
import { parseApiVersion } from "@kubewright/core/meta";
import type { Client } from "../client/client.ts";
import type { Discovery } from "../client/discovery.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** What is scaled. */
export interface ScaleReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** What `scaleTo` works with: the context of a reconcile has it all. */
export interface ScalePorts {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly signal?: AbortSignal;
}

/** The rights that scaling anything takes, for `permissions` of a controller. */
export const SCALE_PERMISSION: PolicyRule = { groups: ["*"], resources: ["*/scale"], verbs: ["get", "patch"] };

/**
 * Brings a target to a size through its scale subresource; sends no write when it has that size. Answers with the size
 * from before. Throws when the cluster does not know the kind, or the kind cannot be scaled.
 * @example const before = await scaleTo(scaler.spec.scaleTarget, 3, context);
 */
export async function scaleTo(
  target: ScaleReference,
  replicas: number,
  { client, discovery, signal }: ScalePorts,
): Promise<number> {
  const { apiVersion, kind, name } = target;
  const definition = await discovery.find({ ...parseApiVersion(apiVersion), kind });
  if (definition === undefined) throw new Error(`the cluster has no ${kind} in ${apiVersion}`);
  if (!definition.subresources?.includes("scale")) throw new Error(`${kind} in ${apiVersion} has no scale subresource`);
  const scale = client.subresource<Scale>(definition, "scale");
  const options = signal === undefined ? {} : { signal };
  const before = (await scale.get(name, options)).spec?.replicas ?? 0;
  if (before !== replicas) await scale.patch(name, { merge: { spec: { replicas } } }, options);
  return before;
}

/** What is read of an autoscaling/v1 Scale. */
interface Scale {
  readonly spec?: { readonly replicas?: number };
}
