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
import { parseDocument, stringify } from "yaml";

/** How many values aliases may stand for; more is an attack. */
const ALIASES_MAX = 100;

/** The value of a YAML text, with Kubernetes' (YAML 1.1) reading of scalars. Throws `MalformedError`. */
export function parseYaml(text: string): StrictJson {
  const json = asJson(text);
  if (json !== undefined) return json;
  const document = parseDocument(text, { version: "1.1", intAsBigInt: true, uniqueKeys: false, logLevel: "silent" });
  const [problem] = document.errors;
  if (problem !== undefined) throw malformed(`yaml: ${problem.message.split("\n", 1)[0]}`);
  try {
    // Through JSON text, so that numbers, keys and times are what they would be in JSON.
    return parseJsonStrict(stringifyJson(document.toJS({ maxAliasCount: ALIASES_MAX }) as Json));
  } catch (error) {
    throw isMalformed(error) ? error : malformed(`yaml: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}

/** JSON is YAML, and most clients send it as such. */
function asJson(text: string): StrictJson | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJsonStrict(text);
  } catch {
    return undefined; // A flow mapping that is no JSON.
  }
}

/** The YAML text of an object. */
export function stringifyYaml(value: JsonObject): string {
  return stringify(value, { version: "1.1" });
}
