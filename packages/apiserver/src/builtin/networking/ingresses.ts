/** Ingresses and IngressClasses. */
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressClass,
  IngressClassParametersReference,
  IngressRule,
  IngressSpec,
  IngressTLS,
} from "@kubewright/api/networking/v1";
import { validateDnsLabel, validateDnsSubdomain, validatePathSegment } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "../kind-strategy.ts";
import { isIpAddress } from "../validation/addresses.ts";
import {
  asJson,
  validateDomainPath,
  validateImmutable,
  validateLabelName,
  validatePort,
  validateRequired,
  validateSubdomain,
} from "../validation/fields.ts";
import { validatePortName } from "../validation/ports.ts";

const FORBIDDEN_SEQUENCES = ["//", "/./", "/../", "%2f", "%2F"];
const FORBIDDEN_ENDINGS = ["/..", "/."];
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

/** What is particular to Ingresses. */
export const ingressParticulars: KindParticulars = {
  generation: true,
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return [];
    const { spec = {}, metadata } = object as unknown as Ingress;
    const errors = validateSpec(spec);
    const annotation = metadata?.annotations?.[CLASS_ANNOTATION];
    const differs =
      annotation !== undefined && spec.ingressClassName !== undefined && annotation !== spec.ingressClassName;
    if (current !== undefined || !differs) return errors;
    const detail = "must match `ingressClassName` when both are specified";
    return [...errors, fieldInvalid(`annotations.${CLASS_ANNOTATION}`, annotation, detail)];
  },
  warnings: (object) => {
    const { metadata } = object as unknown as Ingress;
    return metadata?.annotations?.[CLASS_ANNOTATION] === undefined
      ? []
      : [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
};

function validateSpec(spec: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  return [
    ...(rules.length === 0 && defaultBackend === undefined
      ? [fieldInvalid("spec", asJson(spec.rules), "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...(defaultBackend === undefined ? [] : validateBackend("spec.defaultBackend", defaultBackend)),
    ...rules.flatMap((rule, index) => validateRule(`spec.rules[${index}]`, rule)),
    ...tls.flatMap((item, index) => validateTls(`spec.tls[${index}]`, item)),
    ...(ingressClassName === undefined ? [] : validateSubdomain("spec.ingressClassName", ingressClassName)),
  ];
}

function validateRule(at: string, { host = "", http }: IngressRule): FieldError[] {
  return [
    ...(isIpAddress(host) ? [fieldInvalid(`${at}.host`, host, "must be a DNS name, not an IP address")] : []),
    ...(host === "" ? [] : validateHost(`${at}.host`, host)),
    ...(http === undefined ? [] : validatePaths(`${at}.http.paths`, http.paths ?? [])),
  ];
}

/** A host, of which the first label may be a wildcard. */
function validateHost(field: string, host: string): FieldError[] {
  if (!host.includes("*")) return validateDnsSubdomain(host).map((text) => fieldInvalid(field, host, text));
  const isWildcard = host.startsWith("*.") && validateDnsSubdomain(host.slice(2)).length === 0;
  if (isWildcard) return [];
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  return [fieldInvalid(field, host, rule)];
}

function validatePaths(field: string, paths: readonly HTTPIngressPath[]): FieldError[] {
  if (paths.length === 0) return [fieldRequired(field)];
  return paths.flatMap((path, index) => validatePath(`${field}[${index}]`, path));
}

function validatePath(at: string, { path = "", pathType, backend }: HTTPIngressPath): FieldError[] {
  if (((pathType as string | undefined) ?? "") === "")
    return [fieldRequired(`${at}.pathType`, "pathType must be specified")];
  const isStrict = pathType === "Exact" || pathType === "Prefix";
  const isRelative = !path.startsWith("/") && (isStrict || path !== "");
  return [
    ...(isRelative ? [fieldInvalid(`${at}.path`, path, "must be an absolute path")] : []),
    ...(isStrict && path !== "" ? validateStrictPath(`${at}.path`, path) : []),
    ...validateBackend(`${at}.backend`, backend ?? {}),
  ];
}

function validateStrictPath(field: string, path: string): FieldError[] {
  return [
    ...FORBIDDEN_SEQUENCES.filter((sequence) => path.includes(sequence)).map((sequence) =>
      fieldInvalid(field, path, `must not contain '${sequence}'`),
    ),
    ...FORBIDDEN_ENDINGS.filter((ending) => path.endsWith(ending)).map((ending) =>
      fieldInvalid(field, path, `cannot end with '${ending}'`),
    ),
  ];
}

function validateBackend(at: string, { service, resource }: IngressBackend): FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [fieldInvalid(at, "", "cannot set both resource and service backends")];
  }
  if (resource !== undefined) {
    return [
      ...validateRequired(`${at}.resource.kind`, resource.kind),
      ...validateRequired(`${at}.resource.name`, resource.name),
    ];
  }
  if (service === undefined) return [fieldInvalid(at, "", "resource or service backend is required")];
  const { name = "", port = {} } = service;
  return [
    ...(name === ""
      ? [fieldRequired(`${at}.service.name`)]
      : validateDnsLabel(name).map((text) => fieldInvalid(`${at}.service.name`, name, text))),
    ...validateBackendPort(at, port),
  ];
}

function validateBackendPort(
  at: string,
  { name = "", number = 0 }: { readonly name?: string; readonly number?: number },
): FieldError[] {
  if (name !== "" && number !== 0) return [fieldInvalid(at, "", "cannot set both port name & port number")];
  if (name !== "") return validatePortName(name).map((text) => fieldInvalid(`${at}.service.port.name`, name, text));
  return number === 0
    ? [fieldRequired(at, "port name or number is required")]
    : validatePort(`${at}.service.port.number`, number);
}

function validateTls(at: string, { hosts = [], secretName = "" }: IngressTLS): FieldError[] {
  return [
    ...hosts.flatMap((host, index) => validateHost(`${at}.hosts[${index}]`, host)),
    ...(secretName === "" ? [] : validateSubdomain(`${at}.secretName`, secretName)),
  ];
}

const CONTROLLER_BYTES_MAX = 250;

/** What is particular to IngressClasses. */
export const ingressClassParticulars: KindParticulars = {
  generation: true,
  validate: (object, current) => {
    const { spec } = object as unknown as IngressClass;
    const controller = spec?.controller ?? "";
    const before = (current as unknown as IngressClass | undefined)?.spec?.controller;
    return [
      ...(current === undefined ? [] : validateImmutable("spec.controller", asJson(spec?.controller), asJson(before))),
      ...validateController("spec.controller", controller),
      ...(spec?.parameters === undefined ? [] : validateParameters("spec.parameters", spec.parameters)),
    ];
  },
};

function validateController(field: string, controller: string): FieldError[] {
  if (Buffer.byteLength(controller) > CONTROLLER_BYTES_MAX) return [fieldTooLong(field, CONTROLLER_BYTES_MAX)];
  return validateDomainPath(field, controller);
}

const SCOPES = ["Cluster", "Namespace"];

function validateParameters(
  field: string,
  { apiGroup, kind, name, scope = "Cluster", namespace }: IngressClassParametersReference,
): FieldError[] {
  const check = (part: string, value: string): FieldError[] =>
    value === ""
      ? [fieldRequired(`${field}.${part}`)]
      : validatePathSegment(value).map((text) => fieldInvalid(`${field}.${part}`, value, text));
  return [
    ...(apiGroup === undefined ? [] : validateSubdomain(`${field}.apiGroup`, apiGroup)),
    ...check("kind", kind),
    ...check("name", name),
    ...(SCOPES.includes(scope) ? [] : [fieldNotSupported(`${field}.scope`, scope, SCOPES)]),
    ...(scope === "Namespace" && namespace === undefined
      ? [fieldRequired(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")]
      : []),
    ...(scope === "Namespace" && namespace !== undefined ? validateLabelName(`${field}.namespace`, namespace) : []),
    ...(scope === "Cluster" && namespace !== undefined
      ? [fieldForbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'")]
      : []),
  ];
}
