/**
 * Differences that are known, with their reasons: those of docs/differences.md that random requests meet, and corners of Go that
 * no client depends on. A run ends at such an answer without being counted as different.
 */
import type { ComparedAnswer, IsExplained } from "./compare.ts";
import type { PlannedRequest } from "./requests.ts";

/** A reason why two answers differ. */
interface Explanation {
  readonly why: string;
  applies(request: PlannedRequest, answers: readonly ComparedAnswer[]): boolean;
}

const EXPLANATIONS: readonly Explanation[] = [
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
    why: "a dry run of a PUT that creates shows the version that was sent",
    applies: ({ method, path }, answers) =>
      method === "PUT" && path.includes("dryRun=All") && answers.every(({ status }) => status === 201),
  },
];

/** Whether two answers may differ. */
export const isExplained: IsExplained = (request, answers) =>
  EXPLANATIONS.some(({ applies }) => applies(request, answers));
