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
    why: "of several mistakes at once Kubernetes tells others first, kind by kind",
    applies: (_, answers) => answers.every(({ status }) => status === 422) && Math.max(...answers.map(causes)) > 1,
  },
  {
    why: "of several mistakes in what is applied or patched the first to be found is told, and they are looked for in another order",
    applies: ({ method, headers }, answers) =>
      method === "PATCH" && answers.every(({ status }) => status >= 400) && !isMerged(headers["content-type"]),
  },
  {
    why: "a write of a claim that changes nothing makes a new version in Kubernetes, and nothing shows why",
    applies: ({ path }, answers) => path.includes("/persistentvolumeclaims/") && differOnlyInVersion(answers),
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

/** Merge patches hold one mistake or are told by their causes. */
function isMerged(type: string | undefined): boolean {
  return type === "application/merge-patch+json" || type === "application/strategic-merge-patch+json";
}

function causes({ body }: ComparedAnswer): number {
  const { details } = body as { readonly details?: { readonly causes?: readonly unknown[] } };
  return details?.causes?.length ?? 0;
}

function differOnlyInVersion(answers: readonly ComparedAnswer[]): boolean {
  const texts = answers.map(
    ({ status, body }) => `${status} ${JSON.stringify(body).replaceAll(/version \d+/g, "version")}`,
  );
  return texts.every((text) => text === texts[0]);
}

/** Whether two answers may differ. */
export const isExplained: IsExplained = (request, answers) =>
  EXPLANATIONS.some(({ applies }) => applies(request, answers));
