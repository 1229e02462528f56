/** The samples of an operator and what users do with them, on any cluster. Read by the operators' tests, embedded and real. */
import assert from "node:assert/strict";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import type { OperatorProject } from "@kubewright/cli";
import {
  type Condition,
  type JsonObject,
  type KubernetesObject,
  parseApiVersion,
  type ResourceDefinition,
} from "@kubewright/core/meta";
import { createDiscovery } from "@kubewright/runtime";
import type { TestCluster } from "@kubewright/testing";
import { applyObject } from "../src/cluster/install.ts";

/** Where samples live. */
export interface Living {
  readonly cluster: Pick<TestCluster, "client">;
}

/** Something that users do. */
export type Step = (life: Living) => Promise<void>;

/** The sample of the operator's own kind. */
export interface Sample extends KubernetesObject {
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

/** The sample of the operator's kind, and its definition. */
export function sampleOf({ samples, resources }: OperatorProject) {
  const [resource] = resources;
  const sample = samples.find(({ kind }) => kind === resource?.kind);
  assert.ok(resource && sample, "a sample of the operator's kind");
  // A sample has a name, and the definition is of its kind.
  return { definition: resource as ResourceDefinition<Sample, Sample>, sample: sample as unknown as Sample };
}

/** Merges `spec` into that of the sample. */
export function update(project: OperatorProject, spec: JsonObject): Step {
  return async ({ cluster: { client } }) => {
    const { definition, sample } = sampleOf(project);
    await client.patch(definition, sample, { merge: { spec } });
  };
}

/** The sample as it is stored. */
export async function sampleNow({ cluster: { client } }: Living, project: OperatorProject): Promise<Sample> {
  const { definition, sample } = sampleOf(project);
  return client.get(definition, sample);
}

/** The conditions by type; they speak of the spec as it is now. */
export async function standing(life: Living, project: OperatorProject): Promise<Readonly<Record<string, string>>> {
  const { status, metadata } = await sampleNow(life, project);
  assert.equal(status?.observedGeneration, metadata.generation);
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status: state }) => [type, state]));
}

/** Applies all samples. */
export function applySamples({ samples }: OperatorProject): Step {
  return async ({ cluster }) => {
    for (const sample of samples) await applyObject(cluster.client, sample);
  };
}

/** Deletes all samples, the last one first. */
export function deleteSamples({ samples }: OperatorProject): Step {
  return async ({ cluster: { client } }) => {
    for (const sample of samples.toReversed()) {
      const { apiVersion = "", kind = "", metadata } = sample as KubernetesObject;
      const definition = await createDiscovery(client).find({ ...parseApiVersion(apiVersion), kind });
      assert.ok(definition, `${apiVersion} ${kind} is served`);
      await client.delete(definition, { ...metadata, name: metadata?.name ?? "" });
    }
  };
}

/** The kinds that the operator is for, makes or works on. */
export function kindsOf({ resources, operator }: OperatorProject) {
  return [
    ...new Set([...resources, ...operator.controllers.flatMap(({ owns = [] }) => owns), Deployment, ReplicaSet, Pod]),
  ];
}
