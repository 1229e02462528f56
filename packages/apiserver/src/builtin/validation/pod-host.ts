/** What is wrong with how a pod shares its node: network, users, names. */
import type { HostAlias, PodDNSConfig, PodSpec } from "@kubewright/api/core/v1";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired, fieldTooLong } from "@kubewright/core/protocol";
import { validateIp } from "./addresses.ts";
import { asJson, validateSubdomain } from "./fields.ts";

const NAMESERVERS_MAX = 3;
const SEARCHES_MAX = 32;
const SEARCH_LENGTH_MAX = 2048;
const HOSTNAME_LENGTH_MAX = 64;
const SEARCH_DOMAIN = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?(?:\._?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?)*$/;
const SEARCH_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

/** Ports on the network of the node are those of the container; templates may leave them out. */
export function validateHostNetwork(field: string, { hostNetwork, containers }: PodSpec): FieldError[] {
  if (hostNetwork !== true) return [];
  return (containers ?? []).flatMap(({ ports }, index) =>
    (ports ?? []).flatMap(({ hostPort = 0, containerPort }, port) =>
      hostPort === 0 || hostPort === containerPort
        ? []
        : [
            fieldInvalid(
              `${field}.containers[${index}].ports[${port}].hostPort`,
              hostPort,
              "must match `containerPort` when `hostNetwork` is true",
            ),
          ],
    ),
  );
}

/** Users of its own go with no other namespace of the node. */
export function validateHostUsers(field: string, spec: PodSpec): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const names = { hostNetwork: "hostNetwork", hostPID: "HostPID", hostIPC: "HostIPC" } as const;
  const used = (Object.keys(names) as (keyof typeof names)[]).filter((name) => spec[name] === true);
  return used.map((name) => fieldForbidden(`${field}.${names[name]}`, "when `hostUsers` is false"));
}

/** A name of the pod's own in place of all that makes one. */
export function validateHostnameOverride(field: string, spec: PodSpec): FieldError[] {
  const { hostnameOverride: name } = spec;
  if (name == null) return [];
  const at = `${field}.hostnameOverride`;
  return [
    ...(spec.setHostnameAsFQDN === true
      ? [fieldForbidden(at, "may not be specified when setHostnameAsFQDN is true")]
      : []),
    ...(spec.hostNetwork === true ? [fieldForbidden(at, "may not be specified when hostNetwork is true")] : []),
    ...(name.length > HOSTNAME_LENGTH_MAX ? [fieldTooLong(at, HOSTNAME_LENGTH_MAX)] : []),
    ...validateSubdomain(at, name),
  ];
}

/** Entries of the pod's hosts file. */
export function validateHostAliases(field: string, aliases: readonly HostAlias[]): FieldError[] {
  return aliases.flatMap(({ ip = "", hostnames = [] }, index) => [
    ...validateIp(`${field}[${index}].ip`, ip),
    ...(hostnames ?? []).flatMap((name, host) => validateSubdomain(`${field}[${index}].hostnames[${host}]`, name)),
  ]);
}

/** How the pod resolves names. */
export function validateDns(field: string, { dnsPolicy, dnsConfig }: PodSpec): FieldError[] {
  const at = `${field}.dnsConfig`;
  if (dnsPolicy === "None" && dnsConfig == null) {
    return [fieldRequired(at, "must provide `dnsConfig` when `dnsPolicy` is None")];
  }
  if (dnsPolicy === "None" && (dnsConfig?.nameservers ?? []).length === 0) {
    return [fieldRequired(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  }
  return dnsConfig == null ? [] : validateDnsConfig(at, dnsConfig);
}

function validateDnsConfig(field: string, { nameservers, searches, options }: PodDNSConfig): FieldError[] {
  const [servers, paths] = [nameservers ?? [], searches ?? []];
  const limit = (name: string, list: readonly string[], why: string): FieldError =>
    fieldInvalid(`${field}.${name}`, asJson(list), `must not have more than ${why}`);
  return [
    ...(servers.length > NAMESERVERS_MAX ? [limit("nameservers", servers, `${NAMESERVERS_MAX} nameservers`)] : []),
    ...servers.flatMap((server, index) => validateIp(`${field}.nameservers[${index}]`, server)),
    ...(paths.length > SEARCHES_MAX ? [limit("searches", paths, `${SEARCHES_MAX} search paths`)] : []),
    ...(paths.join(" ").length > SEARCH_LENGTH_MAX
      ? [limit("searches", paths, `${SEARCH_LENGTH_MAX} characters (including spaces) in the search list`)]
      : []),
    ...paths.flatMap((path, index) => validateSearch(`${field}.searches[${index}]`, path)),
    ...(options ?? []).flatMap(({ name = "" }, index) =>
      name === "" ? [fieldRequired(`${field}.options[${index}]`, "must not be empty")] : [],
    ),
  ];
}

function validateSearch(field: string, path: string): FieldError[] {
  const domain = path === "." ? path : path.replace(/\.$/, "");
  return domain === "." || SEARCH_DOMAIN.test(domain) ? [] : [fieldInvalid(field, domain, SEARCH_RULE)];
}
