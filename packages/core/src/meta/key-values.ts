/** Lines of key=value, as people write configuration in one field of a spec, read into the data of a ConfigMap. Pure. */

/**
 * The pairs of a text; blank lines and comments (#) are left out, spaces around keys and values too. A line without "=" is
 * a key with an empty value; of two lines with one key the later wins.
 * @example parseKeyValues("GREETING=hello\n# comment") // { GREETING: "hello" }
 */
export function parseKeyValues(text: string): Record<string, string> {
  const lines = text.split("\n").map((line) => line.trim());
  const pairs = lines.filter((line) => line !== "" && !line.startsWith("#")).map(splitAtEquals);
  return Object.fromEntries(pairs); // Defines keys as they are, "__proto__" too.
}

function splitAtEquals(line: string): readonly [key: string, value: string] {
  const equals = line.indexOf("=");
  return equals === -1 ? [line, ""] : [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
}
