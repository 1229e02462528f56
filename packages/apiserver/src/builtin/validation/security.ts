/** What is wrong with the security contexts of pods and containers. */
import type {
  AppArmorProfile,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
  WindowsSecurityContextOptions,
} from "@kubewright/api/core/v1";
import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import { asJson, fieldInvalidStruct, validateSubdomain } from "./fields.ts";
import { validateDescendingPath } from "./mounts.ts";

const ID_MAX = 2_147_483_647;
const SYSCTL = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const SYSCTL_LENGTH_MAX = 253;
const SYSCTL_RULE =
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

/** The context of a container, in a pod that shares its users with the node or not. */
export function validateSecurityContext(
  field: string,
  context: SecurityContext | undefined,
  hasHostUsers: boolean,
): FieldError[] {
  if (context == null) return [];
  const { procMount } = context;
  return [
    ...validateId(`${field}.runAsUser`, context.runAsUser),
    ...validateId(`${field}.runAsGroup`, context.runAsGroup),
    ...(hasHostUsers && procMount === "Unmasked"
      ? [fieldInvalid(`${field}.procMount`, procMount, "`hostUsers` must be false to use `Unmasked`")]
      : []),
    ...validateSeccomp(`${field}.seccompProfile`, context.seccompProfile),
    ...validateEscalation(field, context),
    ...validateWindowsOptions(`${field}.windowsOptions`, context.windowsOptions),
    ...validateAppArmor(`${field}.appArmorProfile`, context.appArmorProfile),
  ];
}

/** The context of a pod. */
export function validatePodSecurityContext(field: string, spec: PodSpec): FieldError[] {
  const { securityContext: context, hostPID, shareProcessNamespace } = spec;
  const errors =
    hostPID === true && shareProcessNamespace === true
      ? [
          fieldInvalid(
            `${field}.shareProcessNamespace`,
            true,
            "ShareProcessNamespace and HostPID cannot both be enabled",
          ),
        ]
      : [];
  if (context == null) return errors;
  return [
    ...validateId(`${field}.fsGroup`, context.fsGroup),
    ...validateId(`${field}.runAsUser`, context.runAsUser),
    ...validateId(`${field}.runAsGroup`, context.runAsGroup),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateId(`${field}.supplementalGroups[${index}]`, group),
    ),
    ...errors,
    ...validateSysctls(`${field}.sysctls`, context.sysctls ?? []),
    ...validateSeccomp(`${field}.seccompProfile`, context.seccompProfile),
    ...validateWindowsOptions(`${field}.windowsOptions`, context.windowsOptions),
    ...validateAppArmor(`${field}.appArmorProfile`, context.appArmorProfile),
    ...(context.seLinuxChangePolicy === undefined || context.seLinuxChangePolicy === "Recursive"
      ? []
      : [fieldNotSupported(`${field}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ["Recursive"])]),
  ];
}

/** A numeric user or group. */
function validateId(field: string, id: number | undefined): FieldError[] {
  if (id == null || (id >= 0 && id <= ID_MAX)) return [];
  return [fieldInvalid(field, id, `must be between 0 and ${ID_MAX}, inclusive`)];
}

function validateEscalation(field: string, context: SecurityContext): FieldError[] {
  const { allowPrivilegeEscalation, privileged, capabilities } = context;
  if (allowPrivilegeEscalation !== false) return [];
  const why = "cannot set `allowPrivilegeEscalation` to false and ";
  const added = (capabilities?.add ?? []).filter((name) => name === "CAP_SYS_ADMIN");
  return [
    ...(privileged === true ? [fieldInvalid(field, asJson(context), `${why}\`privileged\` to true`)] : []),
    ...added.map(() => fieldInvalid(field, asJson(context), `${why}\`capabilities.Add\` CAP_SYS_ADMIN`)),
  ];
}

/** Types that are none are found with all enumerations. */
function validateSeccomp(field: string, profile: SeccompProfile | undefined): FieldError[] {
  if (profile == null) return [];
  const { type = "", localhostProfile } = profile;
  const at = `${field}.localhostProfile`;
  if (type === "") return [fieldRequired(`${field}.type`, "type is required when seccompProfile is set")];
  if (type !== "Localhost") {
    if (localhostProfile === undefined) return [];
    const shown = { Type: type, LocalhostProfile: localhostProfile };
    return [fieldInvalidStruct(at, shown, "can only be set when seccomp type is Localhost")];
  }
  if (localhostProfile === undefined) return [fieldRequired(at, "must be set when seccomp type is Localhost")];
  return validateDescendingPath(at, localhostProfile);
}

function validateAppArmor(field: string, profile: AppArmorProfile | undefined): FieldError[] {
  if (profile == null) return [];
  const { type = "", localhostProfile } = profile;
  const at = `${field}.localhostProfile`;
  if (type === "") return [fieldRequired(`${field}.type`, "type is required when appArmorProfile is set")];
  if (type !== "Localhost") {
    if (localhostProfile === undefined) return [];
    return [fieldInvalid(at, localhostProfile, "can only be set when AppArmor type is Localhost")];
  }
  if ((localhostProfile ?? "") === "") return [fieldRequired(at, "must be set when AppArmor type is Localhost")];
  const isPadded = localhostProfile !== localhostProfile?.trim();
  return isPadded ? [fieldInvalid(at, localhostProfile, "must not be padded with whitespace")] : [];
}

function validateSysctls(field: string, sysctls: readonly Sysctl[]): FieldError[] {
  const names = new Set<string>();
  return sysctls.flatMap(({ name = "" }, index) => {
    const at = `${field}[${index}].name`;
    const isRepeated = names.has(name);
    names.add(name);
    if (name === "") return [fieldRequired(at)];
    if (name.length > SYSCTL_LENGTH_MAX || !SYSCTL.test(name)) return [fieldInvalid(at, name, SYSCTL_RULE)];
    return isRepeated ? [fieldDuplicate(at, name)] : [];
  });
}

function validateWindowsOptions(field: string, options: WindowsSecurityContextOptions | undefined): FieldError[] {
  if (options == null) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credential, runAsUserName } = options;
  const isEmpty = credential === "";
  return [
    ...(name === undefined ? [] : validateSubdomain(`${field}.gmsaCredentialSpecName`, name)),
    ...(isEmpty
      ? [fieldInvalid(`${field}.gmsaCredentialSpec`, "", "gmsaCredentialSpec cannot be an empty string")]
      : []),
    ...(runAsUserName === undefined
      ? []
      : userNameProblems(runAsUserName).map((why) => fieldInvalid(`${field}.runAsUserName`, runAsUserName, why))),
  ];
}

const DOMAIN_LENGTH_MAX = 256;
const USER_LENGTH_MAX = 104;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_DOMAIN = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

/** `DOMAIN\user` or `user`. */
function userNameProblems(name: string): readonly string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (/\p{Cc}/u.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? (parts[0] ?? "") : undefined;
  const isDomain = domain === undefined || NET_BIOS.test(domain) || DNS_DOMAIN.test(domain);
  return [
    (domain ?? "").length < DOMAIN_LENGTH_MAX
      ? []
      : `runAsUserName's Domain length must be under ${DOMAIN_LENGTH_MAX} characters`,
    isDomain ? [] : "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
    user === "" ? "runAsUserName's User cannot be empty" : [],
    user.length > USER_LENGTH_MAX
      ? `runAsUserName's User length must not be longer than ${USER_LENGTH_MAX} characters`
      : [],
    /^[. ]+$/.test(user) ? "runAsUserName's User cannot contain only periods or spaces" : [],
    /["/\\:;|=,+*?<>@[\]]/.test(user)
      ? "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"
      : [],
  ].flat();
}
