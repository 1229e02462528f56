/** Services: addresses and node ports are taken from a common stock and kept through updates that leave them out. */
import type { Service } from "@kubewright/api/core/v1";
import { type ApiObject, withFields } from "../../resource/object.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { labelNames } from "../names.ts";
import { asJson } from "../validation/fields.ts";
import type { AddressStock } from "./address-stock.ts";
import { reserveService } from "./reserve-service.ts";
import { alignAddresses, dropForeignFields, isHeadless, keepAllocations, specOf } from "./service-fields.ts";
import { validateService } from "./validate-service.ts";

/** What is particular to Services of a server with this stock. */
export function serviceParticulars(stock: AddressStock): KindParticulars {
  return {
    createOnUpdate: true,
    returnsDeleted: true,
    nameErrors: labelNames,
    selectableFields: {
      "spec.clusterIP": (object) => specOf(object).clusterIP ?? "",
      "spec.type": (object) => specOf(object).type ?? "",
    },
    prepareForCreate: (object) => withSpec(object, alignAddresses(specOf(object), undefined)),
    prepareForUpdate: (next, current, { subresource }) =>
      subresource === "status" ? next : prepareServiceUpdate(next, current),
    reserve: (next, current, { subresource }) =>
      subresource === "status" ? { object: next, release: () => {} } : reserveService(stock, next, current),
    validate: (object, current, { subresource }) =>
      subresource === "status"
        ? []
        : validateService(object as unknown as Service, current as unknown as Service | undefined),
    warnings: (object) => serviceWarnings(object as unknown as Service),
  };
}

function prepareServiceUpdate(next: ApiObject, current: ApiObject): ApiObject {
  const before = specOf(current);
  const kept = alignAddresses(keepAllocations(specOf(next), before), before);
  const dropped = dropForeignFields(kept, before);
  const updated = withSpec(next, dropped);
  return dropped.type === "LoadBalancer" ? updated : withFields(updated, { status: { loadBalancer: {} } });
}

function withSpec(object: ApiObject, spec: Service["spec"]): ApiObject {
  return withFields(object, { spec: asJson(spec) });
}

function serviceWarnings({ spec = {} }: Service): string[] {
  const { type, externalIPs = [], loadBalancerIP = "", sessionAffinity, externalName = "" } = spec;
  const warnings: string[] = [];
  const headless = type === "ClusterIP" && isHeadless(spec);
  if (headless && loadBalancerIP !== "") warnings.push("spec.loadBalancerIP is ignored for headless services");
  if (headless && externalIPs.length > 0) warnings.push("spec.externalIPs is ignored for headless services");
  if (headless && sessionAffinity !== "None") warnings.push("spec.SessionAffinity is ignored for headless services");
  if (externalIPs.length > 0 && !headless && type !== "ExternalName") {
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (type === "ExternalName" && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== "ExternalName" && externalName !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
