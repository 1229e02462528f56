/**
 * Answers of two servers in a form that can be compared: without uids, times, addresses and ports that were handed out; versions of
 * objects as the how-manieth of the object they are, so that a write too many shows.
 */
import type { Json, JsonObject } from "@kubewright/core/meta";

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** What the requests themselves say. */
const SENT_UID = /^1{8}-/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const SENT_TIME = /^2020-/;
const ADDRESS = /\b10\.0\.0\.\d+\b/g;
const RECORD = /in record \(\d+\)/;
/** Objects in texts are shown in the form that Go has inside. */
const GO_VALUE = /(Invalid|Unsupported) value: (?:null|[{[].*[}\]]): /s;
const PATCHED = /^(?: "" is invalid: )?patch: Invalid value: "\{.*\}": |Invalid value: "\{.*\}": /s;
const NODE_PORTS = /:3[0-2]\d{3}\//g;
const AGE = /^(?:\d+[smhd])+$/;
const PORT_MIN = 30_000;

/** Knows the versions that one server gave to each object. */
export class NormalForm {
  readonly #versions = new Map<string, string[]>();

  /** The same for equal answers, whoever gave them. */
  of(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.of(item as Json));
    if (typeof value === "string") return normalText(value);
    if (typeof value === "number") return value >= PORT_MIN && value <= 32_767 ? "<port>" : value;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value as JsonObject).map(([name, item]) => [
      name,
      this.#field(value as JsonObject, name, item as Json),
    ]);
    return Object.fromEntries(entries.toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1)));
  }

  #field(owner: JsonObject, name: string, value: Json): Json {
    if (name === "resourceVersion" && typeof value === "string") return this.#version(owner, value);
    if (name === "time" || name === "creationTimestamp") return value === null ? null : "<time>";
    if (name === "continue") return "<continue>";
    if (name === "columnDefinitions") return "<columns>";
    // Go checks some metadata two or three times, and tells each time; entries of one second have an order of their own.
    if (name === "causes" && Array.isArray(value)) return distinct(this.of(value) as Json[]);
    if (name === "managedFields" && Array.isArray(value)) return distinct(this.of(value) as Json[]);
    if (name === "message" && hasCauses(owner)) return "<causes>";
    return this.of(value);
  }

  #version({ uid }: JsonObject, version: string): Json {
    if (typeof uid !== "string") return "<version>";
    const known = this.#versions.get(uid) ?? [];
    if (!known.includes(version)) known.push(version);
    this.#versions.set(uid, known);
    return `version ${known.indexOf(version)}`;
  }
}

function distinct(values: readonly Json[]): Json {
  const texts = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...texts.keys()].sort().map((text) => texts.get(text) ?? null);
}

/** True for a refusal whose text lists what its causes say, too. */
function hasCauses({ details }: JsonObject): boolean {
  const causes = typeof details === "object" && details !== null ? (details as JsonObject)["causes"] : undefined;
  return Array.isArray(causes) && causes.length > 0;
}

/** Texts for people differ in what they show of Go's structures after the first line. */
export function normalText(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line
    .replace(UID, (uid) => (SENT_UID.test(uid) ? uid : "<uid>"))
    .replace(TIME, (time) => (SENT_TIME.test(time) ? time : "<time>"))
    .replace(ADDRESS, "<address>")
    .replace(AGE, "<age>")
    .replace(NODE_PORTS, ":<port>/")
    .replace(RECORD, "in record (<version>)")
    .replace(GO_VALUE, "$1 value: {…}: ")
    .replace(PATCHED, 'patch: Invalid value: "{…}": ');
}
