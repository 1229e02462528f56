/** What is wrong with a Service that has its addresses and ports already. */
import type { Service, ServicePort, ServiceSpec } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import { validateCidr, validateEndpointIp, validateIp } from "../validation/addresses.ts";
import {
  asJson,
  validateLabelName,
  validateLabels,
  validatePort,
  validateQualified,
  validateSubdomain,
} from "../validation/fields.ts";
import { validatePortNumberOrName } from "../validation/ports.ts";
import { isExternallyAccessible, isHeadless, needsHealthCheck } from "./service-fields.ts";

const CLIENT_IP_SECONDS_MAX = 86_400;
const TRAFFIC_DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** A new Service, or one in place of `current`. */
export function validateService(service: Service, current: Service | undefined): FieldError[] {
  const spec = service.spec ?? {};
  return [
    ...(current === undefined ? [] : validateChange(spec, current.spec ?? {})),
    ...validateType(spec),
    ...validatePorts(spec),
    ...validateLabels("spec.selector", spec.selector),
    ...validateAffinity(spec),
    ...validateAddresses(spec),
    ...(spec.externalIPs ?? []).flatMap((address, index) => {
      const errors = validateIp(`spec.externalIPs[${index}]`, address);
      return errors.length > 0 ? errors : validateEndpointIp(`spec.externalIPs[${index}]`, address);
    }),
    ...validateNodePorts(spec),
    ...validateLoadBalancer(spec),
    ...validateTraffic(spec),
  ];
}

function validateType(spec: ServiceSpec): FieldError[] {
  const { type, ports = [], clusterIPs = [], externalName = "" } = spec;
  const headless = isHeadless(spec);
  const errors = ports.length === 0 && !headless && type !== "ExternalName" ? [fieldRequired("spec.ports")] : [];
  if (headless && (type === "LoadBalancer" || type === "NodePort")) {
    const detail = `may not be set to 'None' for ${type} services`;
    return [...errors, fieldInvalid("spec.clusterIPs[0]", clusterIPs[0], detail)];
  }
  if (type !== "ExternalName") return errors;
  const forbidden = (["clusterIPs", "ipFamilies"] as const).filter((name) => (spec[name] ?? []).length > 0);
  const name = externalName.endsWith(".") ? externalName.slice(0, -1) : externalName;
  return [
    ...errors,
    ...[...forbidden, ...(spec.ipFamilyPolicy === undefined ? [] : ["ipFamilyPolicy"])].map((field) =>
      fieldForbidden(`spec.${field}`, "may not be set for ExternalName services"),
    ),
    ...(name === "" ? [fieldRequired("spec.externalName")] : validateSubdomain("spec.externalName", name)),
  ];
}

function validatePorts({ ports = [] }: ServiceSpec): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    return [
      ...validateName(`${at}.name`, port.name ?? "", { names, isRequired: ports.length > 1 }),
      ...validatePort(`${at}.port`, port.port),
      ...validatePortNumberOrName(`${at}.targetPort`, port.targetPort),
      ...(port.appProtocol === undefined ? [] : validateQualified(`${at}.appProtocol`, port.appProtocol)),
    ];
  });
}

function validateName(
  field: string,
  name: string,
  { names, isRequired }: { readonly names: Set<string>; readonly isRequired: boolean },
): FieldError[] {
  if (name === "") return isRequired ? [fieldRequired(field)] : [];
  const errors = validateLabelName(field, name);
  if (names.has(name)) return [...errors, fieldDuplicate(field, name)];
  names.add(name);
  return errors;
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  if (sessionAffinity !== "ClientIP") return [];
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
  if (seconds > 0 && seconds <= CLIENT_IP_SECONDS_MAX) return [];
  const detail = `must be greater than 0 and less than ${CLIENT_IP_SECONDS_MAX}`;
  return [fieldInvalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, detail)];
}

/** The addresses and families; also asked before anything is taken for them. */
export function validateAddresses(spec: ServiceSpec): FieldError[] {
  const { type, clusterIP = "", clusterIPs = [], ipFamilies = [] } = spec;
  if (type === "ExternalName") return [];
  const list = [...clusterIPs];
  const errors: FieldError[] = [];
  if (clusterIP !== "" && clusterIPs.length > 0 && clusterIPs[0] !== clusterIP) {
    errors.push(fieldInvalid("spec.clusterIPs", list, "first value must match `clusterIP`"));
  }
  if (clusterIP === "" && clusterIPs.length > 0) {
    errors.push(fieldInvalid("spec.clusterIPs", list, "must be empty when `clusterIP` is not specified"));
  }
  errors.push(
    ...ipFamilies.flatMap((family, index) =>
      ipFamilies.indexOf(family) < index ? [fieldDuplicate(`spec.ipFamilies[${index}]`, family)] : [],
    ),
  );
  if (clusterIPs[0] === "None" && clusterIPs.length > 1) {
    errors.push(fieldInvalid("spec.clusterIPs", list, "'None' must be the first and only value"));
  }
  for (const [index, address] of clusterIPs.entries()) {
    if (index > 0 || address !== "None") errors.push(...validateIp(`spec.clusterIPs[${index}]`, address));
  }
  if (clusterIPs.length > 2) errors.push(fieldInvalid("spec.clusterIPs", list, "may only hold up to 2 values"));
  if (errors.length > 0 || isHeadless(spec)) return errors;
  return clusterIPs.flatMap((address, index) => {
    const family = ipFamilies[index];
    if (family === undefined || family === (address.includes(":") ? "IPv6" : "IPv4")) return [];
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    return [fieldInvalid(`spec.clusterIPs[${index}]`, address, detail)];
  });
}

function validateNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const forbidden = ports.flatMap(({ nodePort = 0 }, index) =>
    type === "ClusterIP" && nodePort !== 0
      ? [fieldForbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
      : [],
  );
  const nodePorts = new Set<string>();
  const repeatedNodePorts = ports.flatMap(({ protocol, nodePort = 0 }, index) => {
    const isRepeated = nodePort !== 0 && nodePorts.has(`${protocol}/${nodePort}`);
    nodePorts.add(`${protocol}/${nodePort}`);
    return isRepeated ? [fieldDuplicate(`spec.ports[${index}].nodePort`, nodePort)] : [];
  });
  const seen = new Set<string>();
  const repeatedPorts = ports.flatMap((port, index) => {
    const isRepeated = seen.has(`${port.protocol}/${port.port}`);
    seen.add(`${port.protocol}/${port.port}`);
    return isRepeated ? [repeatedPort(`spec.ports[${index}]`, port)] : [];
  });
  return [...forbidden, ...repeatedNodePorts, ...repeatedPorts];
}

/** The port as Kubernetes prints its internal form. */
function repeatedPort(field: string, { protocol = "TCP", port }: ServicePort): FieldError {
  const printed = { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
  return { ...fieldDuplicate(field, ""), message: `Duplicate value: ${JSON.stringify(printed)}` };
}

function validateLoadBalancer(spec: ServiceSpec): FieldError[] {
  const { type, loadBalancerSourceRanges = [], allocateLoadBalancerNodePorts, loadBalancerClass } = spec;
  const only = "may only be used when `type` is 'LoadBalancer'";
  const isBalanced = type === "LoadBalancer";
  const ranges = "spec.LoadBalancerSourceRanges";
  return [
    ...(loadBalancerSourceRanges.length > 0 && !isBalanced ? [fieldForbidden(ranges, only)] : []),
    ...loadBalancerSourceRanges.flatMap((range, index) => validateCidr(`${ranges}[${index}]`, range.trim())),
    ...(allocateLoadBalancerNodePorts !== undefined && !isBalanced
      ? [fieldForbidden("spec.allocateLoadBalancerNodePorts", only)]
      : []),
    ...(loadBalancerClass !== undefined && !isBalanced ? [fieldForbidden("spec.loadBalancerClass", only)] : []),
    ...(loadBalancerClass !== undefined && isBalanced
      ? validateQualified("spec.loadBalancerClass", loadBalancerClass)
      : []),
  ];
}

const TRAFFIC_POLICIES: readonly string[] = ["Cluster", "Local"];

function validateTraffic(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy, healthCheckNodePort = 0, trafficDistribution } = spec;
  return [
    ...(externalTrafficPolicy !== undefined && !isExternallyAccessible(spec)
      ? [
          fieldInvalid(
            "spec.externalTrafficPolicy",
            externalTrafficPolicy,
            "may only be set for externally-accessible services",
          ),
        ]
      : []),
    ...(isExternallyAccessible(spec) &&
    externalTrafficPolicy !== undefined &&
    !TRAFFIC_POLICIES.includes(externalTrafficPolicy)
      ? [fieldNotSupported("spec.externalTrafficPolicy", externalTrafficPolicy, TRAFFIC_POLICIES)]
      : []),
    ...(healthCheckNodePort !== 0 && !needsHealthCheck(spec)
      ? [
          fieldInvalid(
            "spec.healthCheckNodePort",
            healthCheckNodePort,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          ),
        ]
      : []),
    ...(trafficDistribution !== undefined && !TRAFFIC_DISTRIBUTIONS.includes(trafficDistribution)
      ? [fieldNotSupported("spec.trafficDistribution", trafficDistribution, TRAFFIC_DISTRIBUTIONS)]
      : []),
  ];
}

/** What may not change: addresses and families but for those of external names, and the class of a load balancer. */
function validateChange(next: ServiceSpec, current: ServiceSpec): FieldError[] {
  if (next.type === "ExternalName" || current.type === "ExternalName") return [];
  const errors: FieldError[] = [];
  const list = [...(next.clusterIPs ?? [])];
  const [before = ""] = current.clusterIPs ?? [];
  if (!(isHeadless(next) && isHeadless(current)) && before !== "") {
    if (list.length === 0) {
      errors.push(fieldInvalid("spec.clusterIPs[0]", list, "primary clusterIP can not be unset"));
    } else if (list[0] !== before) {
      errors.push(fieldInvalid("spec.clusterIPs[0]", list, "may not change once set"));
    }
  }
  const [family] = current.ipFamilies ?? [];
  if (!isHeadless(next) && !isHeadless(current) && family !== undefined && next.ipFamilies?.[0] !== family) {
    errors.push(fieldInvalid("spec.ipFamilies[0]", [...(next.ipFamilies ?? [])], "may not change once set"));
  }
  const isStillBalanced = next.type === "LoadBalancer" && current.type === "LoadBalancer";
  if (isStillBalanced && !deepEqual(asJson(next.loadBalancerClass), asJson(current.loadBalancerClass))) {
    errors.push(fieldInvalid("spec.loadBalancerClass", asJson(next.loadBalancerClass), "may not change once set"));
  }
  if (needsHealthCheck(next) && needsHealthCheck(current) && next.healthCheckNodePort !== current.healthCheckNodePort) {
    errors.push(fieldForbidden("spec.healthCheckNodePort", "field is immutable"));
  }
  return errors;
}
