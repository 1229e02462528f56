/**
 * Annotations from before pods had fields for AppArmor and seccomp: those of AppArmor become fields of new pods, and all must say
 * what the fields say. Pure functions.
 */
import type { AppArmorProfile, Container, Pod, PodSpec, SeccompProfile } from "@kubewright/api/core/v1";
import { deepEqual, type Json } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid } from "@kubewright/core/protocol";
import { type ApiObject, withFields } from "../../resource/object.ts";
import { containersWithPaths } from "../validation/fields.ts";

const APPARMOR = "container.apparmor.security.beta.kubernetes.io/";
const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
const LOCALHOST = "localhost/";

type Annotations = Readonly<Record<string, string>>;

/** A new pod whose containers have the profiles that its annotations name. */
export function withProfiles(object: ApiObject, warn: (text: string) => void): ApiObject {
  const { spec } = object as unknown as Pod;
  const annotations = object.metadata.annotations ?? {};
  const hasNone = !Object.keys(annotations).some((name) => name.startsWith(APPARMOR));
  if (hasNone || spec === undefined || spec.os?.name === "windows") return object;
  const profiled = (container: Container): Container => withProfile(container, { annotations, spec, warn });
  const containers = spec.containers.map(profiled);
  const initContainers = spec.initContainers?.map(profiled);
  const next = { ...spec, containers, ...(initContainers === undefined ? {} : { initContainers }) };
  return withFields(object, { spec: next as never });
}

interface Profiles {
  readonly annotations: Annotations;
  readonly spec: PodSpec;
  readonly warn: (text: string) => void;
}

function withProfile(container: Container, { annotations, spec, warn }: Profiles): Container {
  const key = `${APPARMOR}${container.name}`;
  const annotation = annotations[key];
  if (annotation === undefined || container.securityContext?.appArmorProfile != null) return container;
  const profile = profileOf(annotation);
  const isOfPod = deepEqual((profile ?? null) as Json, (spec.securityContext?.appArmorProfile ?? null) as Json);
  if (profile !== undefined && isOfPod) return container;
  warn(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
  if (profile === undefined) return container;
  return { ...container, securityContext: { ...container.securityContext, appArmorProfile: profile } };
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const name = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : "";
  return name === "" || name !== name.trim() ? undefined : { type: "Localhost", localhostProfile: name };
}

/** What is wrong with the annotations of a pod. */
export function validateSecurityAnnotations(object: ApiObject): FieldError[] {
  const { annotations } = object.metadata;
  if (annotations === undefined) return [];
  const { spec = { containers: [] } } = object as unknown as Pod;
  return [...validateAppArmorNames(annotations, spec), ...validateSeccompMatches(annotations, spec)];
}

function validateAppArmorNames(annotations: Annotations, spec: PodSpec): FieldError[] {
  const names = containersWithPaths("spec", spec).map(([, { name }]) => name);
  return Object.entries(annotations)
    .filter(([key]) => key.startsWith(APPARMOR))
    .flatMap(([key, value]) => {
      const name = key.slice(APPARMOR.length);
      const isKnown = value === "" || ["unconfined", "runtime/default"].includes(value) || value.startsWith(LOCALHOST);
      return [
        ...(names.includes(name) ? [] : [fieldInvalid(`metadata.annotations[${key}]`, name, "container not found")]),
        ...(isKnown
          ? []
          : [
              fieldInvalid(
                `metadata.annotations[${key}]`,
                value,
                `invalid AppArmor profile name: ${JSON.stringify(value)}`,
              ),
            ]),
      ];
    });
}

function validateSeccompMatches(annotations: Annotations, spec: PodSpec): FieldError[] {
  return [
    ...validateMatch("spec.securityContext", spec.securityContext?.seccompProfile, annotations[SECCOMP_POD]),
    ...containersWithPaths("spec", spec).flatMap(([at, { name, securityContext }]) =>
      validateMatch(
        `${at}.securityContext`,
        securityContext?.seccompProfile,
        annotations[`${SECCOMP_CONTAINER}${name}`],
      ),
    ),
  ];
}

function validateMatch(
  field: string,
  profile: SeccompProfile | undefined,
  annotation: string | undefined,
): FieldError[] {
  if (profile == null || annotation === undefined) return [];
  const matches: Readonly<Record<string, boolean>> = {
    Unconfined: annotation === "unconfined",
    RuntimeDefault: annotation === "runtime/default" || annotation === "docker/default",
    Localhost: annotation.startsWith(LOCALHOST),
  };
  if (matches[profile.type] === false) {
    return [fieldForbidden(`${field}.seccompProfile.type`, "seccomp type in annotation and field must match")];
  }
  if (profile.type !== "Localhost" || annotation.slice(LOCALHOST.length) === profile.localhostProfile) return [];
  const why = "seccomp profile in annotation and field must match";
  return [fieldForbidden(`${field}.seccompProfile.localhostProfile`, why)];
}

/** AppArmor annotations of a pod stay as they are. */
export function validateAnnotationChange(next: ApiObject, current: ApiObject): FieldError[] {
  if (next.metadata.annotations === current.metadata.annotations) return [];
  const [after, before] = [next.metadata.annotations ?? {}, current.metadata.annotations ?? {}];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) =>
    name.startsWith(APPARMOR),
  );
  return names
    .filter((name) => after[name] !== before[name])
    .map((name) => {
      const verb = before[name] === undefined ? "add" : "remove or update";
      return fieldForbidden(`metadata.annotations[${name}]`, `may not ${verb} AppArmor annotations`);
    });
}
