/** NetworkPolicies. */
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "@kubewright/api/networking/v1";
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "../kind-strategy.ts";
import { isRange, isStrictPart, validateCidr } from "../validation/addresses.ts";
import { validatePort as validatePortNumber } from "../validation/fields.ts";
import { validateLabelSelector } from "../validation/label-selectors.ts";
import { validatePortNumberOrName } from "../validation/ports.ts";

/** What is particular to NetworkPolicies. */
export const networkPolicyParticulars: KindParticulars = {
  generation: true,
  validate: (object) => {
    const { spec } = object as unknown as NetworkPolicy;
    return spec === undefined ? [] : validateSpec(spec);
  },
};

function validateSpec(spec: NetworkPolicySpec): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec;
  return [
    ...validateLabelSelector("spec.podSelector", podSelector),
    ...ingress.flatMap(({ ports, from }, index) =>
      validateRule(`spec.ingress[${index}]`, { ports: ports ?? [], peers: from ?? [], peersField: "from" }),
    ),
    ...egress.flatMap(({ ports, to }, index) =>
      validateRule(`spec.egress[${index}]`, { ports: ports ?? [], peers: to ?? [], peersField: "to" }),
    ),
    ...(policyTypes.length > 2
      ? [fieldInvalid("spec.policyTypes", [...policyTypes], "may not specify more than two policyTypes")]
      : []),
  ];
}

interface Rule {
  readonly ports: readonly NetworkPolicyPort[];
  readonly peers: readonly NetworkPolicyPeer[];
  readonly peersField: string;
}

function validateRule(at: string, { ports, peers, peersField }: Rule): FieldError[] {
  return [
    ...ports.flatMap((port, index) => validatePort(`${at}.ports[${index}]`, port)),
    ...peers.flatMap((peer, index) => validatePeer(`${at}.${peersField}[${index}]`, peer)),
  ];
}

const PROTOCOLS = ["TCP", "UDP", "SCTP"];

function validatePort(at: string, { port, endPort, protocol = "TCP" }: NetworkPolicyPort): FieldError[] {
  const portErrors = [
    ...(PROTOCOLS.includes(protocol) ? [] : [fieldNotSupported(`${at}.protocol`, protocol, PROTOCOLS)]),
    ...(port === undefined ? [] : validatePortNumberOrName(`${at}.port`, port)),
  ];
  if (endPort === undefined) return portErrors;
  if (typeof port !== "number") {
    const why = port === undefined ? "not specified" : "non-numeric";
    return [...portErrors, fieldInvalid(`${at}.endPort`, endPort, `may not be specified when \`port\` is ${why}`)];
  }
  return [
    ...portErrors,
    ...(endPort < port ? [fieldInvalid(`${at}.endPort`, port, "must be greater than or equal to `port`")] : []),
    ...validatePortNumber(`${at}.endPort`, endPort),
  ];
}

function validatePeer(at: string, { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer): FieldError[] {
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  return [
    ...validateLabelSelector(`${at}.podSelector`, podSelector),
    ...validateLabelSelector(`${at}.namespaceSelector`, namespaceSelector),
    ...(ipBlock === undefined ? [] : validateBlock(`${at}.ipBlock`, ipBlock)),
    ...(!selects && ipBlock === undefined ? [fieldRequired(at, "must specify a peer")] : []),
    ...(selects && ipBlock !== undefined ? [fieldForbidden(at, "may not specify both ipBlock and another peer")] : []),
  ];
}

function validateBlock(at: string, { cidr, except = [] }: IPBlock): FieldError[] {
  if (cidr === "") return [fieldRequired(`${at}.cidr`)];
  if (!isRange(cidr)) return validateCidr(`${at}.cidr`, cidr);
  return [
    ...validateCidr(`${at}.cidr`, cidr),
    ...except.flatMap((range, index) => validateException(`${at}.except[${index}]`, range, cidr)),
  ];
}

function validateException(field: string, range: string, whole: string): FieldError[] {
  return [
    ...validateCidr(field, range),
    ...(isStrictPart(range, whole) === false ? [fieldInvalid(field, range, "must be a strict subset of `cidr`")] : []),
  ];
}
