/**
 * Differences that are known, with their reasons: those of docs/differences.md that random requests meet, and corners of Go that
 * no client depends on. A run ends at such an answer without being counted as different.
 */
import type { ComparedAnswer, Explain } from "./compare.ts";
import type { PlannedRequest } from "./requests.ts";

/** A reason why two answers differ. */
interface Explanation {
  readonly why: string;
  applies(request: PlannedRequest, answers: readonly ComparedAnswer[]): boolean;
}

const EXPLANATIONS: readonly Explanation[] = [
  {
    why: "the first write of a new claim that changes nothing makes a version in Kubernetes: bytes differ that nobody is shown",
    applies: ({ path }, answers) => path.includes("/persistentvolumeclaims/") && differOnlyInVersion(answers),
  },
  {
    why: "the status of a CronJob is not validated, so that names of finalizers are looked at once instead of twice",
    applies: ({ path, body }) =>
      /\/cronjobs\/\w+\/status/.test(path) && (JSON.stringify(body) ?? "").includes("finalizers"),
  },
  {
    why: "unknown metadata of embedded resources is dropped without a warning",
    applies: ({ body }) => (JSON.stringify(body) ?? "").includes('"unknown":1'),
  },
  {
    why: "a strategic merge patch of a RawExtension is refused in other words",
    applies: ({ path, headers }) =>
      path.includes("/controllerrevisions/") && headers["content-type"] === "application/strategic-merge-patch+json",
  },
  {
    why: "Kubernetes keeps the annotation of DaemonSets in a field, and forgets it in tables and metadata",
    applies: ({ path, headers }) => path.includes("/daemonsets") && (headers["accept"] ?? "").includes("as="),
  },
  {
    why: "Kubernetes validates what an apply would make of a status before it finds that there is no such object",
    applies: ({ path, headers }, answers) =>
      path.includes("/status?") &&
      headers["content-type"] === "application/apply-patch+yaml" &&
      answers.some(({ status }) => status === 404),
  },
  {
    why: "the PUT of a status makes a Service in Kubernetes, without an address",
    applies: ({ method, path }) => method === "PUT" && /\/services\/\w+\/status/.test(path),
  },
  {
    why: "a dry run of a PUT that creates shows the version that was sent",
    applies: ({ method, path }, answers) =>
      method === "PUT" && path.includes("dryRun=All") && answers.every(({ status }) => status === 201),
  },
];

function differOnlyInVersion(answers: readonly ComparedAnswer[]): boolean {
  const texts = answers.map(
    ({ status, body }) => `${status} ${JSON.stringify(body).replaceAll(/version \d+/g, "version")}`,
  );
  return texts.every((text) => text === texts[0]);
}

/** The first explanation of two answers. */
export const explain: Explain = (request, answers) =>
  EXPLANATIONS.find(({ applies }) => applies(request, answers))?.why;
