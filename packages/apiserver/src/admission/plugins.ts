/**
 * The admission plugins in the order in which they run, which is kube-apiserver's, and which of them are on. The server
 * makes its chain here from its options.
 */
import type { Clock, Random } from "@kubewright/core/ports";
import type { RuleIndex } from "../auth/rbac/rule-index.ts";
import type { Storage } from "../storage/storage.ts";
import type { CallWebhook } from "../webhook/caller.ts";
import type { AdmissionPlugin } from "./admission.ts";
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from "./kinds/certificate-requests.ts";
import { defaultIngressClass } from "./kinds/ingresses.ts";
import { podTopologyLabels, taintNodesByCondition } from "./kinds/nodes.ts";
import { defaultTolerationSeconds, priority } from "./kinds/pods.ts";
import { runtimeClasses } from "./kinds/runtime-classes.ts";
import { serviceAccount } from "./kinds/service-accounts.ts";
import { claimResize, defaultStorageClass, storageObjectInUseProtection } from "./kinds/storage.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { podSecurity } from "./pod-security/pod-security.ts";
import { expressionCheck } from "./policies/expression-check.ts";
import { type MutatingPolicyParts, mutatingPolicies } from "./policies/mutating-policies.ts";
import { followPolicies } from "./policies/policy.ts";
import { validatingPolicies } from "./policies/validating-policies.ts";
import { limitRanger } from "./quota/limit-ranger.ts";
import { resourceQuota } from "./quota/resource-quota.ts";
import { rbacEscalation } from "./rbac-escalation.ts";
import { followWebhooks } from "./webhooks/configurations.ts";
import { mutatingWebhooks } from "./webhooks/mutating-webhooks.ts";
import { validatingWebhooks } from "./webhooks/validating-webhooks.ts";

/** Which admission plugins are on. */
export interface AdmissionOptions {
  /** Plugins that are off by default. @default [] */
  readonly enable?: readonly string[];
  /** Plugins that are on by default; "*" for all of them. @default [] */
  readonly disable?: readonly string[];
  /** Further plugins, after those of Kubernetes. @default [] */
  readonly extra?: readonly AdmissionPlugin[];
  /**
   * Makes the service account "default" of a namespace for a pod that comes before its controller did.
   * @default the plugin ServiceAccount waits for it up to a second
   */
  readonly makeDefaultAccount?: (namespace: string) => Promise<void>;
}

/** What plugins work with. */
export interface AdmissionParts extends MutatingPolicyParts {
  readonly rules: RuleIndex;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly callWebhook: CallWebhook;
}

interface PluginEntry {
  readonly plugin: AdmissionPlugin;
  readonly on: boolean;
}

/** The chain. Throws a TypeError for a name that no plugin has. */
export function createAdmission(parts: AdmissionParts, options: AdmissionOptions = {}): readonly AdmissionPlugin[] {
  const { enable = [], disable = [], extra = [] } = options;
  const entries = orderedPlugins(parts, options);
  requireKnown([...enable, ...disable.filter((name) => name !== "*")], entries);
  const isOn = ({ plugin: { name }, on }: PluginEntry): boolean =>
    enable.includes(name) || (on && !disable.includes("*") && !disable.includes(name));
  return [
    rbacEscalation(parts),
    expressionCheck,
    ...entries.filter(isOn).map(({ plugin }) => plugin),
    ...extra.map(seeingAll),
  ];
}

/** What others wrote may look at all of an object. */
function seeingAll(plugin: AdmissionPlugin): AdmissionPlugin {
  return { seesOwners: () => true, ...plugin };
}

function orderedPlugins(parts: AdmissionParts, { makeDefaultAccount }: AdmissionOptions): readonly PluginEntry[] {
  const mutating = followWebhooks(parts.storage, "mutatingwebhookconfigurations");
  const validating = followWebhooks(parts.storage, "validatingwebhookconfigurations");
  return [
    { plugin: namespaceLifecycle, on: true },
    { plugin: limitRanger, on: true },
    { plugin: serviceAccount({ ...parts, makeDefaultAccount }), on: false },
    { plugin: taintNodesByCondition, on: true },
    { plugin: podSecurity, on: true },
    { plugin: priority, on: true },
    { plugin: defaultTolerationSeconds, on: true },
    { plugin: defaultStorageClass, on: true },
    { plugin: storageObjectInUseProtection, on: true },
    { plugin: claimResize, on: true },
    { plugin: runtimeClasses, on: true },
    { plugin: certificateApproval(parts.authorize), on: true },
    { plugin: certificateSigning(parts.authorize), on: true },
    { plugin: certificateSubjectRestriction, on: true },
    { plugin: defaultIngressClass, on: true },
    { plugin: podTopologyLabels, on: true },
    { plugin: mutatingPolicies(followPolicies(parts.storage, "mutatingadmissionpolicies"), parts), on: true },
    { plugin: mutatingWebhooks(mutating, parts), on: true },
    { plugin: validatingPolicies(followPolicies(parts.storage, "validatingadmissionpolicies"), parts), on: true },
    { plugin: validatingWebhooks(validating, parts), on: true },
    { plugin: resourceQuota(parts.storage), on: true },
  ];
}

function requireKnown(names: readonly string[], entries: readonly PluginEntry[]): void {
  const known = new Set(entries.map(({ plugin }) => plugin.name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new TypeError(`no admission plugin is named ${unknown.join(", ")}; there are ${[...known].join(", ")}`);
}
