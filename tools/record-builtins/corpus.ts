/**
 * What the built-in kinds are asked: scenarios of requests, each with names of its own, so that all of them run on one
 * server one after another. record.ts puts them to a real kube-apiserver; the answers are the goldens.
 */
import { batchScenarios } from "./corpus-batch.ts";
import { coreScenarios } from "./corpus-core.ts";
import { networkScenarios } from "./corpus-network.ts";
import { otherScenarios } from "./corpus-other.ts";
import { podScenarios } from "./corpus-pods.ts";
import { serviceScenarios } from "./corpus-services.ts";
import { storageScenarios } from "./corpus-storage.ts";
import { workloadScenarios } from "./corpus-workloads.ts";
import type { Scenario } from "./scenario.ts";

/** All scenarios, by the file that their goldens go to. */
export const corpus: Readonly<Record<string, readonly Scenario[]>> = {
  batch: batchScenarios,
  core: coreScenarios,
  network: networkScenarios,
  other: otherScenarios,
  pods: podScenarios,
  services: serviceScenarios,
  storage: storageScenarios,
  workloads: workloadScenarios,
};
