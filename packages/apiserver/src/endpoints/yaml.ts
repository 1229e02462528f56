/** YAML bodies, imported only when one comes or goes: the parser costs memory that most servers never need. */
import type { Json, JsonObject } from "@kubewright/core/meta";
import { malformed } from "@kubewright/core/meta";
import { parse, stringify } from "yaml";

/** The value of a YAML text, with Kubernetes' (YAML 1.1) reading of scalars. Throws `MalformedError`. */
export function parseYaml(text: string): Json {
  try {
    return parse(text, { version: "1.1", intAsBigInt: false, uniqueKeys: false }) as Json;
  } catch (error) {
    throw malformed(`yaml: ${error instanceof Error ? error.message : "unreadable"}`, { cause: error });
  }
}

/** The YAML text of an object. */
export function stringifyYaml(value: JsonObject): string {
  return stringify(value, { version: "1.1" });
}
