/** semver(): semantic versions, strict or normalised ("v1.2" becomes 1.2.0). */
import { quote } from "../../../protocol/go-format.ts";
import { CelError } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import type { Value } from "../values.ts";
import { traversal } from "./costs.ts";
import { opaqueType } from "./opaque.ts";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly preRelease: readonly string[];
  readonly build: string;
}

const versionType = opaqueType<Version>(
  "kubernetes.Semver",
  showVersion,
  (left, right) => compareVersions(left, right) === 0,
);

function showVersion({ numbers, preRelease, build }: Version): string {
  return `${numbers.join(".")}${preRelease.length > 0 ? `-${preRelease.join(".")}` : ""}${build === "" ? "" : `+${build}`}`;
}

const part = "(0|[1-9][0-9]*)";
const identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const semver = new RegExp(`^${part}\\.${part}\\.${part}(?:-(${identifiers}))?(?:\\+(${identifiers}))?$`);

function parseVersion(text: string): Version | string {
  const match = semver.exec(text);
  if (match === null) return problemOf(text);
  const [, major = "0", minor = "0", patch = "0", preRelease = "", build = ""] = match;
  const pieces = preRelease === "" ? [] : preRelease.split(".");
  const zero = pieces.find((piece) => /^0[0-9]+$/.test(piece));
  if (zero !== undefined) return `Numeric PreRelease version must not contain leading zeroes "${zero}"`;
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], preRelease: pieces, build };
}

function problemOf(text: string): string {
  if (text === "") return "Version string empty";
  const [major, minor, rest] = splitThree(text);
  if (major === undefined || minor === undefined || rest === undefined) return "No Major.Minor.Patch elements found";
  const [patch = ""] = rest.split(/[-+]/);
  for (const [name, number] of [
    ["Major", major],
    ["Minor", minor],
    ["Patch", patch],
  ] as const) {
    if (!/^[0-9]+$/.test(number)) return `Invalid character(s) found in ${name.toLowerCase()} number ${quote(number)}`;
    if (/^0[0-9]/.test(number)) return `${name} number must not contain leading zeroes ${quote(number)}`;
  }
  return `Invalid character(s) found in prerelease or build of ${quote(text)}`;
}

function splitThree(text: string): readonly string[] {
  const first = text.indexOf(".");
  const second = text.indexOf(".", first + 1);
  return second < 0 ? [] : [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

/** Without a leading v or leading zeros, with all three numbers. */
function normalize(text: string): string {
  const [, core = "", rest = ""] = /^v?([^-+]*)(.*)$/s.exec(text) ?? [];
  const parts = core.split(".").map((piece) => piece.replace(/^0+(?=[0-9])/, ""));
  if (parts.length < 3 && rest !== "") return text;
  while (parts.length < 3) parts.push("0");
  return `${parts.join(".")}${rest}`;
}

function parsed([text, tolerant]: readonly Value[]): Version | string {
  return parseVersion(tolerant === true ? normalize(text as string) : (text as string));
}

function make(args: readonly Value[]): Value {
  const version = parsed(args);
  if (typeof version === "string") throw new CelError(version);
  return versionType.make(version);
}

function compareVersions(left: Version, right: Version): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (left.preRelease.length === 0 || right.preRelease.length === 0) {
    return Number(left.preRelease.length === 0) - Number(right.preRelease.length === 0);
  }
  return comparePreReleases(left.preRelease, right.preRelease);
}

function comparePreReleases(left: readonly string[], right: readonly string[]): number {
  for (const [index, piece] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (piece === other) continue;
    const [a, b] = [piece, other].map((each) => (/^[0-9]+$/.test(each) ? BigInt(each) : undefined));
    if (a !== undefined && b !== undefined) return a < b ? -1 : 1;
    if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1;
    return piece < other ? -1 : 1;
  }
  return left.length < right.length ? -1 : 0;
}

function order([left, right]: readonly Value[]): number {
  return compareVersions(versionType.dataOf(left), versionType.dataOf(right));
}

/** All functions on versions. */
export const semvers: readonly Declaration[] = [
  declare("semver(string) kubernetes.Semver", make, traversal()),
  declare("semver(string, bool) kubernetes.Semver", make, traversal()),
  declare("isSemver(string) bool", (args) => typeof parsed(args) !== "string", traversal()),
  declare("isSemver(string, bool) bool", (args) => typeof parsed(args) !== "string", traversal()),
  declare("kubernetes.Semver->isGreaterThan(kubernetes.Semver) bool", (args) => order(args) > 0),
  declare("kubernetes.Semver->isLessThan(kubernetes.Semver) bool", (args) => order(args) < 0),
  declare("kubernetes.Semver->compareTo(kubernetes.Semver) int", (args) => BigInt(order(args))),
  ...["major", "minor", "patch"].map((name, index) =>
    declare(`kubernetes.Semver->${name}() int`, ([version]) => versionType.dataOf(version).numbers[index] ?? 0n),
  ),
];
