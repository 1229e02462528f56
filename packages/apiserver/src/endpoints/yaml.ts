/** YAML bodies, imported only when one comes or goes: the parser costs memory that most servers never need. */
import {
  isMalformed,
  type Json,
  type JsonObject,
  malformed,
  parseJsonStrict,
  type StrictJson,
  stringifyJson,
} from "@kubewright/core/meta";
import { type Document, isScalar, LineCounter, parseDocument, stringify, visit } from "yaml";

/** How many values aliases may stand for; more is an attack. */
const ALIASES_MAX = 100;

/** The value of a YAML text. */
export interface YamlValue extends StrictJson {
  /** Keys that stood twice, each with its line: `line 3: key "name" already set in map`. */
  readonly repeats: readonly string[];
}

/** The value of a YAML text, with Kubernetes' (YAML 1.1) reading of scalars. Throws `MalformedError`. */
export function parseYaml(text: string): YamlValue {
  const json = asJson(text);
  if (json !== undefined) return { ...json, repeats: [] };
  const lineCounter = new LineCounter();
  const options = { version: "1.1", intAsBigInt: true, uniqueKeys: false, logLevel: "silent", lineCounter } as const;
  const document = parseDocument(text, options);
  const [problem] = document.errors;
  if (problem !== undefined) throw malformed(`yaml: ${problem.message.split("\n", 1)[0]}`);
  try {
    // Through JSON text, so that numbers, keys and times are what they would be in JSON.
    const json = parseJsonStrict(stringifyJson(document.toJS({ maxAliasCount: ALIASES_MAX }) as Json));
    return { ...json, repeats: repeatsIn(document, lineCounter) };
  } catch (error) {
    throw isMalformed(error) ? error : malformed(`yaml: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}

function repeatsIn(document: Document, lineCounter: LineCounter): readonly string[] {
  const repeats: { readonly line: number; readonly text: string }[] = [];
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const line = lineCounter.linePos(key.range?.[0] ?? 0).line;
        const text = `line ${line}: key ${goSyntax(key.value)} already set in map`;
        if (known.has(key.value)) repeats.push({ line, text });
        known.add(key.value);
      }
    },
  });
  return repeats.toSorted((left, right) => left.line - right.line).map(({ text }) => text);
}

function goSyntax(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** JSON is YAML, and most clients send it as such. Keys that stand twice are told as YAML's are. */
function asJson(text: string): StrictJson | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const json = parseJsonStrict(text);
    return json.duplicates.length === 0 ? json : undefined;
  } catch {
    return undefined; // A flow mapping that is no JSON.
  }
}

/** The YAML text of an object, in Kubernetes' style: sorted keys, lists not indented. */
export function stringifyYaml(value: JsonObject): string {
  return stringify(value, {
    version: "1.1",
    aliasDuplicateObjects: false,
    indentSeq: false,
    lineWidth: 0,
    sortMapEntries: (left, right) => (textOf(left.key) < textOf(right.key) ? -1 : 1),
  });
}

function textOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}
