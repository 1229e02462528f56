/** How many requests the API server served, by verb and resource, from its own metrics; watches apart. */

/** Counts by "VERB resource" or "VERB resource/subresource". */
export type RequestCounts = Readonly<Record<string, number>>;

const COUNTED = new Set(["widgets", "configmaps", "events"]);
const WRITES = new Set(["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"]);

/** The counts of the resources that an operator touches, from the text of /metrics. */
export function parseRequestCounts(metrics: string): RequestCounts {
  const counts: Record<string, number> = {};
  for (const [, labels = "", value] of metrics.matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
    const label = Object.fromEntries(Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, key, text]) => [key, text]));
    const { verb = "", resource = "", subresource = "" } = label as Record<string, string>;
    if (!COUNTED.has(resource) || verb === "WATCH") continue;
    const name = `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`;
    counts[name] = (counts[name] ?? 0) + Number(value);
  }
  return counts;
}

/** What was added from `before` to `after`. */
export function requestsBetween(before: RequestCounts, after: RequestCounts): RequestCounts {
  const added = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(added.filter(([, count]) => count !== 0));
}

/** All of them. */
export function totalRequests(counts: RequestCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Those that change something. */
export function totalWrites(counts: RequestCounts): number {
  return totalRequests(
    Object.fromEntries(Object.entries(counts).filter(([name]) => WRITES.has(name.split(" ")[0] ?? ""))),
  );
}
