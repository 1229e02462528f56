/** Rows of services, their endpoints, ingresses and network policies. */
import { getKey, type Json } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { formatFirst, formatIngressPoints, formatLabels, formatSelector } from "../cells.ts";
import { age, type KindPrinter, nameOf, printer } from "../columns.ts";
import { listAt, numberAt, objectAt, textAt, textsAt, valueAt } from "../fields.ts";

/** Printers by qualified resource name. */
export const networkingPrinters: Readonly<Record<string, KindPrinter>> = {
  services: printer("Name|Type|Cluster-IP|External-IP|Port(s)|Age|Selector*", (object, context) => [
    nameOf(object),
    textAt(object, "spec.type"),
    textsAt(object, "spec.clusterIPs")[0] ?? textAt(object, "spec.clusterIP", "<none>"),
    externalIp(object),
    listAt(object, "spec.ports").map(formatServicePort).join(",") || "<none>",
    age(object, context),
    formatLabels(object, "spec.selector"),
  ]),
  endpoints: printer("Name|Endpoints|Age", (object, context) => [
    nameOf(object),
    formatFirst(
      listAt(object, "subsets").flatMap(subsetAddresses),
      listAt(object, "subsets").length > 0 ? "" : "<none>",
    ),
    age(object, context),
  ]),
  "endpointslices.discovery.k8s.io": printer("Name|AddressType|Ports|Endpoints|Age", (object, context) => [
    nameOf(object),
    textAt(object, "addressType"),
    formatFirst(listAt(object, "ports").map(formatSlicePort), "<unset>"),
    formatFirst(
      listAt(object, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses")),
      "<unset>",
    ),
    age(object, context),
  ]),
  "ingresses.networking.k8s.io": printer("Name|Class|Hosts|Address|Ports|Age", (object, context) => [
    nameOf(object),
    textAt(object, "spec.ingressClassName", "<none>"),
    formatHosts(object),
    formatIngressPoints(object, "status.loadBalancer.ingress"),
    listAt(object, "spec.tls").length > 0 ? "80, 443" : "80",
    age(object, context),
  ]),
  "ingressclasses.networking.k8s.io": printer("Name|Controller|Parameters|Age", (object, context) => [
    isDefaultClass(object, ["ingressclass.kubernetes.io/is-default-class"])
      ? `${nameOf(object)} (default)`
      : nameOf(object),
    textAt(object, "spec.controller"),
    classParameters(object),
    age(object, context),
  ]),
  "networkpolicies.networking.k8s.io": printer("Name|Pod-Selector|Age", (object, context) => [
    nameOf(object),
    formatSelector(object, "spec.podSelector"),
    age(object, context),
  ]),
  "servicecidrs.networking.k8s.io": printer("Name|CIDRs|Age", (object, context) => [
    nameOf(object),
    textsAt(object, "spec.cidrs").join(","),
    age(object, context),
  ]),
  // kube-apiserver sends the age without defining a column for it.
  "ipaddresses.networking.k8s.io": printer("Name|ParentRef", (object, context) => [
    nameOf(object),
    parentReference(object),
    age(object, context),
  ]),
};

/** Whether one of the annotations makes an object the default of its kind. */
export function isDefaultClass({ metadata }: ApiObject, annotations: readonly string[]): boolean {
  return annotations.some((annotation) => getKey(metadata.annotations ?? {}, annotation) === "true");
}

function externalIp(service: ApiObject): string {
  const external = textsAt(service, "spec.externalIPs");
  switch (textAt(service, "spec.type")) {
    case "ClusterIP":
    case "NodePort":
      return external.join(",") || "<none>";
    case "LoadBalancer": {
      const balanced = formatIngressPoints(service, "status.loadBalancer.ingress");
      return [...(balanced === "" ? [] : [balanced]), ...external].join(",") || "<pending>";
    }
    case "ExternalName":
      return textAt(service, "spec.externalName");
    default:
      return "<unknown>";
  }
}

function formatServicePort(port: Json): string {
  const nodePort = numberAt(port, "nodePort");
  const outside = nodePort > 0 ? `:${nodePort}` : "";
  return `${numberAt(port, "port")}${outside}/${textAt(port, "protocol")}`;
}

function subsetAddresses(subset: Json): readonly string[] {
  const addresses = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
  const ports = listAt(subset, "ports");
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) => addresses.map((address) => joinHostPort(address, numberAt(port, "port"))));
}

function joinHostPort(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

function formatSlicePort(port: Json): string {
  const number = valueAt(port, "port");
  if (number !== undefined) return String(number);
  const name = valueAt(port, "name");
  return typeof name === "string" ? name : "*";
}

const HOSTS_SHOWN = 3;

/** Rules without a host are not shown, but count among those that are left out. */
function formatHosts(ingress: ApiObject): string {
  const rules = listAt(ingress, "spec.rules");
  const hosts: string[] = [];
  let isCut = false;
  for (const rule of rules) {
    isCut ||= hosts.length === HOSTS_SHOWN;
    const host = textAt(rule, "host");
    if (!isCut && host !== "") hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return isCut ? `${hosts.join(",")} + ${rules.length - HOSTS_SHOWN} more...` : hosts.join(",");
}

function classParameters(ingressClass: ApiObject): string {
  const parameters = objectAt(ingressClass, "spec.parameters");
  if (valueAt(ingressClass, "spec.parameters") === undefined) return "<none>";
  const group = valueAt(parameters, "apiGroup");
  return `${textAt(parameters, "kind")}${typeof group === "string" ? `.${group}` : ""}/${textAt(parameters, "name")}`;
}

function parentReference(address: ApiObject): string {
  const parent = valueAt(address, "spec.parentRef");
  if (parent === undefined) return "<none>";
  const group = textAt(parent, "group");
  const resource = `${textAt(parent, "resource")}${group === "" ? "" : `.${group}`}`.toLowerCase();
  return [resource, textAt(parent, "namespace"), textAt(parent, "name")].filter((part) => part !== "").join("/");
}
