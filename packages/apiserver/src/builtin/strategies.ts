/**
 * The strategies of the built-in kinds. Every kind has one; what is particular to a kind stands in the file that the
 * table below names, and a kind without a line there is defaulted and stored as all are.
 */
import { type BuiltinResource, builtinGroups } from "@kubewright/api/discovery";
import type { ResourceSlice } from "@kubewright/api/resource/v1";
import { formatGroupResource } from "@kubewright/core/meta";
import type { Strategies } from "../registry/builtin-resources.ts";
import type { Strategy } from "../resource/strategy.ts";
import type { Storage } from "../storage/storage.ts";
import { apiServiceParticulars } from "./api-services.ts";
import { autoscalerParticulars } from "./autoscalers.ts";
import { cronJobParticulars } from "./batch/cron-jobs.ts";
import { jobParticulars } from "./batch/jobs.ts";
import { certificateRequestParticulars } from "./certificate-requests.ts";
import { configMapParticulars, secretParticulars } from "./configuration.ts";
import { disruptionBudgetParticulars } from "./disruption-budgets.ts";
import { eventParticulars } from "./events/events.ts";
import { type KindParticulars, kindStrategy } from "./kind-strategy.ts";
import { leaseParticulars } from "./leases.ts";
import { pathSegmentNames } from "./names.ts";
import { namespaceParticulars } from "./namespaces.ts";
import { endpointSliceParticulars, endpointsParticulars } from "./networking/endpoints.ts";
import { ingressClassParticulars, ingressParticulars } from "./networking/ingresses.ts";
import { networkPolicyParticulars } from "./networking/network-policies.ts";
import { ipAddressParticulars, serviceCidrParticulars } from "./networking/service-addresses.ts";
import { nodeParticulars } from "./nodes.ts";
import { podTemplateParticulars } from "./pods/pod-templates.ts";
import { podParticulars } from "./pods/pods.ts";
import { mutatingPolicyParticulars, policyBindingParticulars, validatingPolicyParticulars } from "./policies.ts";
import { priorityClassParticulars } from "./priority-classes.ts";
import { limitRangeParticulars, resourceQuotaParticulars } from "./quotas.ts";
import { bindingParticulars, roleParticulars } from "./roles.ts";
import { runtimeClassParticulars } from "./runtime-classes.ts";
import { AddressStock } from "./services/address-stock.ts";
import { serviceParticulars } from "./services/services.ts";
import { claimParticulars } from "./storage/claims.ts";
import { storageClassParticulars, volumeParticulars } from "./storage/volumes.ts";
import { webhookParticulars } from "./webhooks.ts";
import { daemonSetParticulars } from "./workloads/daemon-sets.ts";
import { deploymentParticulars } from "./workloads/deployments.ts";
import {
  controllerRevisionParticulars,
  replicaSetParticulars,
  replicationControllerParticulars,
} from "./workloads/sets.ts";
import { statefulSetParticulars } from "./workloads/stateful-sets.ts";

/** Kinds that count their generations and are updated only by who knows the version. */
const counted: KindParticulars = { generation: true, unconditionalUpdate: false };

const sliceFields: NonNullable<KindParticulars["selectableFields"]> = {
  "spec.driver": (object) => (object as unknown as ResourceSlice).spec?.driver ?? "",
  "spec.nodeName": (object) => (object as unknown as ResourceSlice).spec?.nodeName ?? "",
};

/** Kinds that are shown when they are deleted. */
const shown: KindParticulars = { returnsDeleted: true };

/** What is particular to kinds, by qualified resource name; Services take addresses from a stock of their server. */
const PARTICULARS: ReadonlyMap<string, KindParticulars> = new Map([
  ["configmaps", configMapParticulars],
  ["endpoints", endpointsParticulars],
  ["events", eventParticulars("involvedObject")],
  ["limitranges", limitRangeParticulars],
  ["namespaces", namespaceParticulars],
  ["nodes", nodeParticulars],
  ["persistentvolumeclaims", claimParticulars],
  ["persistentvolumes", volumeParticulars],
  ["pods", podParticulars],
  ["podtemplates", podTemplateParticulars],
  ["replicationcontrollers", replicationControllerParticulars],
  ["resourcequotas", resourceQuotaParticulars],
  ["secrets", secretParticulars],
  ["serviceaccounts", { returnsDeleted: true }],
  ["mutatingwebhookconfigurations.admissionregistration.k8s.io", webhookParticulars],
  ["validatingwebhookconfigurations.admissionregistration.k8s.io", webhookParticulars],
  ["mutatingadmissionpolicies.admissionregistration.k8s.io", mutatingPolicyParticulars],
  ["mutatingadmissionpolicybindings.admissionregistration.k8s.io", policyBindingParticulars],
  ["validatingadmissionpolicies.admissionregistration.k8s.io", validatingPolicyParticulars],
  ["validatingadmissionpolicybindings.admissionregistration.k8s.io", policyBindingParticulars],
  ["apiservices.apiregistration.k8s.io", apiServiceParticulars],
  ["controllerrevisions.apps", controllerRevisionParticulars],
  ["daemonsets.apps", daemonSetParticulars],
  ["deployments.apps", deploymentParticulars],
  ["replicasets.apps", replicaSetParticulars],
  ["statefulsets.apps", statefulSetParticulars],
  ["clusterrolebindings.rbac.authorization.k8s.io", bindingParticulars(false)],
  ["clusterroles.rbac.authorization.k8s.io", roleParticulars(false)],
  ["rolebindings.rbac.authorization.k8s.io", bindingParticulars(true)],
  ["roles.rbac.authorization.k8s.io", roleParticulars(true)],
  ["horizontalpodautoscalers.autoscaling", autoscalerParticulars],
  ["cronjobs.batch", cronJobParticulars],
  ["jobs.batch", jobParticulars],
  ["certificatesigningrequests.certificates.k8s.io", certificateRequestParticulars],
  ["leases.coordination.k8s.io", leaseParticulars],
  ["endpointslices.discovery.k8s.io", endpointSliceParticulars],
  ["events.events.k8s.io", eventParticulars("regarding")],
  ["flowschemas.flowcontrol.apiserver.k8s.io", { generation: true, nameErrors: pathSegmentNames }],
  ["prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", { generation: true, nameErrors: pathSegmentNames }],
  ["ingressclasses.networking.k8s.io", ingressClassParticulars],
  ["ingresses.networking.k8s.io", ingressParticulars],
  ["ipaddresses.networking.k8s.io", ipAddressParticulars],
  ["networkpolicies.networking.k8s.io", networkPolicyParticulars],
  ["servicecidrs.networking.k8s.io", serviceCidrParticulars],
  ["runtimeclasses.node.k8s.io", runtimeClassParticulars],
  ["poddisruptionbudgets.policy", disruptionBudgetParticulars],
  ["deviceclasses.resource.k8s.io", { ...counted, ...shown }],
  ["resourceclaims.resource.k8s.io", { ...shown }],
  ["resourceclaimtemplates.resource.k8s.io", { ...shown }],
  ["resourceslices.resource.k8s.io", { ...counted, ...shown, selectableFields: sliceFields }],
  ["priorityclasses.scheduling.k8s.io", priorityClassParticulars],
  ["csidrivers.storage.k8s.io", { unconditionalUpdate: false, ...shown }],
  ["csinodes.storage.k8s.io", { unconditionalUpdate: false, ...shown }],
  ["csistoragecapacities.storage.k8s.io", { unconditionalUpdate: false }],
  ["volumeattachments.storage.k8s.io", { unconditionalUpdate: false, ...shown }],
  ["volumeattributesclasses.storage.k8s.io", shown],
  ["storageclasses.storage.k8s.io", storageClassParticulars],
]);

/** All built-in strategies of a server with this storage. */
export function createBuiltinStrategies(storage: Storage): Strategies {
  const particulars = new Map([...PARTICULARS, ["services", serviceParticulars(new AddressStock(storage))]]);
  const strategies = new Map<string, Strategy>();
  for (const { group, versions } of builtinGroups) {
    for (const { resources } of versions) {
      for (const resource of resources) {
        const name = formatGroupResource({ group, plural: resource.name });
        strategies.set(name, kindStrategy(hasStatus(resource), particulars.get(name) ?? {}));
      }
    }
  }
  return strategies;
}

function hasStatus({ subresources = [] }: BuiltinResource): boolean {
  return subresources.some(({ name }) => name === "status");
}
