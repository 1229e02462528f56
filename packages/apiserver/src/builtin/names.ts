/** Rules for the names of objects other than DNS subdomains, which most kinds have. */
import { validateDnsLabel, validateDnsSubdomain, validatePathSegment } from "@kubewright/core/meta";
import type { Strategy } from "../resource/strategy.ts";

/** Why a name (or, with `isPrefix`, a generateName) is refused. */
export type NameRule = NonNullable<Strategy["nameErrors"]>;

/** DNS labels. */
export const labelNames: NameRule = (name, isPrefix) => validateDnsLabel(isPrefix ? maskTrailingDash(name) : name);

/** Anything that fits into a path. */
export const pathSegmentNames: NameRule = (name) => validatePathSegment(name);

const CRON_JOB_LENGTH_MAX = 52;

/** CronJobs leave room for what is added to the names of their Jobs. */
export const cronJobNames: NameRule = (name, isPrefix) => [
  ...validateDnsSubdomain(isPrefix ? maskTrailingDash(name) : name),
  ...(name.length > CRON_JOB_LENGTH_MAX ? [`must be no more than ${CRON_JOB_LENGTH_MAX} characters`] : []),
];

/** Prefixes may end in a dash, since something comes after it. */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -1)}a` : name;
}
