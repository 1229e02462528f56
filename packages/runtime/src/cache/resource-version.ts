/**
 * Resource versions as numbers: since KEP-5504 two versions of one kind may be compared. They are decimal and can be
 * longer than a JavaScript integer, so they are compared as text.
 */

/** Negative when `left` is older than `right`, positive when newer. An unknown version ("") is the oldest. */
export function compareVersions(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The newer of two versions. */
export function newerVersion(left: string, right: string): string {
  return compareVersions(left, right) >= 0 ? left : right;
}
