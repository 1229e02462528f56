/**
 * Answers without what differs from run to run: uids, versions, times, and addresses and ports that were handed out.
 * Both the recorder and the comparison use it. Differences for people (after a line break in a message) are left out.
 */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Times that the corpus itself sends stand in this year, and stay. */
const SENT_TIME = /^2020-/;
/** Node ports that the corpus chooses, of the low part of their range: a server gives from the high one. */
const SENT_PORTS = new Set([0, 80, 30_011, 30_022]);
const ADDRESS = /\b10\.0\.0\.(?!(?:0|1|2|9)\b)\d+/g;
const GENERATED = /(Generated-)[a-z0-9]{5}/g;
const DROPPED = new Set(["managedFields", "resourceVersion", "creationTimestamp"]);

/** The same value in every run. */
export function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value === "string") return normalizeText(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !DROPPED.has(name))
      .map(([name, item]) => [name, normalizeField(name, item)]),
  );
}

function normalizeField(name: string, value: unknown): unknown {
  if (name.endsWith("odePort") && typeof value === "number" && !SENT_PORTS.has(value)) return "<port>";
  if (name === "targetPort" && typeof value === "number" && value > 1024) return "<port>";
  if (name === "clusterIP" && typeof value === "string" && /^10\.0\.0\.(?!2$)/.test(value)) return "<address>";
  if (name === "clusterIPs" && Array.isArray(value)) return value.map((item) => normalizeField("clusterIP", item));
  return normalize(value);
}

function normalizeText(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.replace(UUID, "<uid>").replace(ADDRESS, "<address>").replace(GENERATED, "$1<random>").replace(TIME, (time) => (SENT_TIME.test(time) ? time : "<time>"));
}
