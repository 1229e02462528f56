/**
 * Strategic merge patches and configurations to apply go through Kubernetes' converter of plain maps, which has words of its own for
 * values of a wrong type.
 */
const UNMARSHAL = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go .* of type (.+)$/;
const GO_KINDS: Readonly<Record<string, string>> = { array: "slice", object: "map", number: "int64" };

/** The words of the converter, for what the decoder of JSON says. */
export function unstructuredProblem(why: string): string {
  const [, given = "", digits, type = ""] = UNMARSHAL.exec(why) ?? [];
  if (given === "") return why.startsWith("illegal base64") ? `error decoding from json: ${why}` : why;
  if (type.startsWith("map[")) return `cannot restore map from ${GO_KINDS[given] ?? given}`;
  if (type.startsWith("[]")) return `cannot restore slice from ${GO_KINDS[given] ?? given}`;
  if (type.includes(".")) return `cannot restore struct from: ${GO_KINDS[given] ?? given}`;
  if (given !== "number") return `unrecognized type: ${type}`;
  return `cannot convert ${digits === undefined ? "int64" : "float64"} to ${type}`;
}
