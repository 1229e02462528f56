/** The order of API versions: the most stable first, and of equally stable ones the latest: v2, v1, v2beta1, v1alpha1. */

const VERSION = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;
const STABILITY = ["alpha", "beta", "stable"];

/** Compares two versions for sorting, preferred first. What is no version of Kubernetes' pattern comes last, by name. */
export function compareApiVersions(left: string, right: string): number {
  const [leftRank, rightRank] = [rankOf(left), rankOf(right)];
  if (leftRank === undefined || rightRank === undefined) {
    return leftRank !== undefined ? -1 : rightRank !== undefined ? 1 : compareText(left, right);
  }
  for (const [index, rank] of rightRank.entries()) {
    const difference = rank - (leftRank[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Stability, major number and number within the stability; higher is preferred. */
function rankOf(version: string): readonly number[] | undefined {
  const match = VERSION.exec(version);
  if (match === null) return undefined;
  const [, major, stability = "stable", minor = "0"] = match;
  return [STABILITY.indexOf(stability), Number(major), Number(minor)];
}

/** The order of bytes, the same on every machine. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
