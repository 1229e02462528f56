/** What the labels of a namespace ask of its pods: which standard is enforced, and of which somebody is to be warned. Pure. */
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";

const LEVELS = ["privileged", "baseline", "restricted"] as const;
const PREFIX = "pod-security.kubernetes.io/";
const VERSION = /^v1\.(?:0|[1-9]\d*)$/;

/** A Pod Security Standard as of one version. */
export interface Standard {
  readonly level: (typeof LEVELS)[number];
  /** "latest", or "v1.x". */
  readonly version: string;
}

/** What labels say. */
export interface SecurityPolicy {
  readonly enforce: Standard;
  readonly warn: Standard;
  /** What is wrong with the labels. */
  readonly errors: readonly FieldError[];
}

type Labels = Readonly<Record<string, string>>;

const PRIVILEGED: Standard = { level: "privileged", version: "latest" };
const NO_POLICY: SecurityPolicy = { enforce: PRIVILEGED, warn: PRIVILEGED, errors: [] };

/** The policy of a namespace. What is wrong is enforced as strictly as can be, and nobody is warned because of it. */
export function policyOf(labels: Labels): SecurityPolicy {
  if (!Object.keys(labels).some((name) => name.startsWith(PREFIX))) return NO_POLICY;
  const enforce = standardOf(labels, "enforce", "restricted");
  const warn = standardOf(labels, "warn", "privileged");
  const errors = ["enforce", "audit", "warn"].flatMap((mode) => labelErrors(labels, mode));
  const isEnforced = (LEVELS as readonly string[]).includes(labels[`${PREFIX}enforce`] ?? "");
  if (labels[`${PREFIX}warn`] !== undefined || !isEnforced) return { enforce, warn, errors };
  const version = labels[`${PREFIX}warn-version`] === undefined ? enforce.version : warn.version;
  return { enforce, warn: { level: enforce.level, version }, errors };
}

/** `baseline:latest`. */
export function describeStandard({ level, version }: Standard): string {
  return `${level}:${version}`;
}

/** Positive when the first level is stricter. */
export function compareLevels(left: Standard, right: Standard): number {
  return LEVELS.indexOf(left.level) - LEVELS.indexOf(right.level);
}

function standardOf(labels: Labels, mode: string, otherwise: Standard["level"]): Standard {
  const wanted = labels[`${PREFIX}${mode}`] ?? "privileged";
  const version = labels[`${PREFIX}${mode}-version`] ?? "latest";
  const level = LEVELS.find((known) => known === wanted) ?? otherwise;
  return { level, version: VERSION.test(version) ? version : "latest" };
}

function labelErrors(labels: Labels, mode: string): readonly FieldError[] {
  const level = labels[`${PREFIX}${mode}`];
  const version = labels[`${PREFIX}${mode}-version`];
  const isLevel = level === undefined || (LEVELS as readonly string[]).includes(level);
  const isVersion = version === undefined || version === "latest" || VERSION.test(version);
  return [
    isLevel ? [] : fieldInvalid(`metadata.labels[${PREFIX}${mode}]`, level, `must be one of ${LEVELS.join(", ")}`),
    isVersion ? [] : fieldInvalid(`metadata.labels[${PREFIX}${mode}-version]`, version, 'must be "latest" or "v1.x"'),
  ].flat();
}
