import assert from "node:assert/strict";
import { test } from "node:test";
import { isCommandError } from "../command/command-error.ts";
import { formatYaml, parseObjects } from "./yaml.ts";

const LEVELS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** The error of a text, which must be one for users. */
function refusal(text: string): string {
  try {
    parseObjects("x.yaml", text);
  } catch (error) {
    assert.ok(isCommandError(error), String(error));
    return error.message;
  }
  return assert.fail("it was read");
}

test("texts that expand without end or nest too deep are refused", () => {
  const laughs = LEVELS.map((name, index) => {
    const before = LEVELS[index - 1];
    return `${name}: &${name} [${Array(9)
      .fill(before === undefined ? "x" : `*${before}`)
      .join(",")}]`;
  });
  assert.match(refusal(laughs.join("\n")), /^x\.yaml cannot be read: Excessive alias count/);
  assert.match(refusal(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), /^x\.yaml cannot be read|^x\.yaml is no YAML/);
});

test("keys that are there twice, and texts that are no objects, are refused", () => {
  assert.match(refusal("a: 1\na: 2\n"), /^x\.yaml is no YAML: Map keys must be unique/);
  assert.match(refusal("just text\n"), /^x\.yaml holds no object/);
});

test("keys that mean something to JavaScript are plain keys", () => {
  const [object] = parseObjects("x.yaml", "__proto__: { polluted: true }\nconstructor: 1\n");
  assert.deepEqual(Object.keys(object ?? {}), ["__proto__", "constructor"]);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("text that older readers take for something else is quoted, and comes back as it was", () => {
  const texts = [
    "yes",
    "on",
    "012",
    "1e3",
    "0x1f",
    "null",
    "~",
    "2026-01-01",
    "a: b",
    "*/ `$(x)`",
    "- x",
    "",
    "\u0007",
  ];
  const [read] = parseObjects("x.yaml", formatYaml({ texts }));
  assert.deepEqual(read, { texts });
  assert.match(formatYaml({ texts: ["yes", "012"] }), /- "yes"\n {2}- "012"/);
});

test("values are what kubectl reads: yes and on are true, times are text", () => {
  // Each as `kubectl label --local -o json` shows it.
  const values: readonly (readonly [string, unknown])[] = [
    ["yes", true],
    ["No", false],
    ["on", true],
    ["OFF", false],
    ["y", true],
    ["N", false],
    ["True", true],
    ['"yes"', "yes"],
    ["0777", 511],
    ["0o17", 15],
    ["0x1F", 31],
    ["0b11", 3],
    ["1_000", 1000],
    ["1:30", "1:30"],
    ["1e3", 1000],
    ["2026-01-01", "2026-01-01"],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["~", null],
  ];
  const [read] = parseObjects("x.yaml", `values:\n${values.map(([text]) => `  - ${text}`).join("\n")}\n`);
  assert.deepEqual(read, { values: values.map(([, value]) => value) });
  assert.deepEqual(parseObjects("x.yaml", "on: &m { a: 1 }\nb: { <<: *m }\n"), [{ true: { a: 1 }, b: { a: 1 } }]);
});
