/**
 * What the built-in kinds are asked: scenarios of requests, each with names of its own, so that all of them run on one
 * server one after another. record.ts puts them to a real kube-apiserver; the answers are the goldens.
 */
import { addressScenarios } from "./corpus-addresses.ts";
import { admissionScenarios } from "./corpus-admission.ts";
import { batchScenarios } from "./corpus-batch.ts";
import { coreScenarios } from "./corpus-core.ts";
import { networkScenarios } from "./corpus-network.ts";
import { otherScenarios } from "./corpus-other.ts";
import { podDetailScenarios } from "./corpus-pod-details.ts";
import { podSecurityScenarios } from "./corpus-pod-security.ts";
import { podScenarios } from "./corpus-pods.ts";
import { policyScenarios } from "./corpus-policies.ts";
import { serviceScenarios } from "./corpus-services.ts";
import { storageScenarios } from "./corpus-storage.ts";
import { workloadScenarios } from "./corpus-workloads.ts";
import type { Scenario } from "./scenario.ts";

/** About admission, whose plugins are on. */
export const admittedCorpus: Readonly<Record<string, readonly Scenario[]>> = {
  admission: admissionScenarios,
  "pod-security": podSecurityScenarios,
  policies: policyScenarios,
};

/** About the kinds alone, by the file that their goldens go to. */
export const corpus: Readonly<Record<string, readonly Scenario[]>> = {
  batch: batchScenarios,
  core: coreScenarios,
  network: networkScenarios,
  other: otherScenarios,
  pods: podScenarios,
  "pod-details": podDetailScenarios,
  services: serviceScenarios,
  storage: storageScenarios,
  workloads: workloadScenarios,
  addresses: addressScenarios,
};
