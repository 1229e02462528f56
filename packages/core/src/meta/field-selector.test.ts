import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldSelector, matchesFields, parseFieldSelector, requiredFieldValue } from "./field-selector.ts";

const matches = (text: string, fields: Record<string, string>): boolean =>
  matchesFields(parseFieldSelector(text), (field) => fields[field]);

test("equality and inequality compare with the field's text, an absent field being empty", () => {
  assert.equal(matches("metadata.name=a,status.phase!=Failed", { "metadata.name": "a" }), true);
  assert.equal(matches("metadata.name==a", { "metadata.name": "b" }), false);
  assert.equal(matches("spec.nodeName=", {}), true);
  assert.equal(matches("spec.nodeName!=", {}), false);
  assert.equal(matches("", {}), true);
});

test("backslashes carry commas and equals signs through text and back", () => {
  const requirements = [{ field: "a", operator: "=" as const, value: "x,y=z\\" }];
  assert.equal(formatFieldSelector(requirements), "a=x\\,y\\=z\\\\");
  assert.deepEqual(parseFieldSelector(formatFieldSelector(requirements)), requirements);
});

test("requirements are sorted by their text and empty terms are left out", () => {
  assert.equal(formatFieldSelector(parseFieldSelector("b=1,,a!=2,")), "a!=2,b=1");
});

test("the value of a field that must be equal is known", () => {
  const requirements = parseFieldSelector("metadata.name=a,metadata.namespace!=b");
  assert.equal(requiredFieldValue(requirements, "metadata.name"), "a");
  assert.equal(requiredFieldValue(requirements, "metadata.namespace"), undefined);
});

test("text that is no selector is refused with Kubernetes' texts", () => {
  assert.throws(() => parseFieldSelector("a=1,b"), { message: "invalid selector: 'a=1,b'; can't understand 'b'" });
  assert.throws(() => parseFieldSelector("a=\\n"), { message: "invalid field selector: invalid escape sequence: \\n" });
  assert.throws(() => parseFieldSelector("a=b=c"), {
    message: "invalid field selector: unescaped character in value: 61",
  });
  assert.throws(() => parseFieldSelector("a=\\"), { message: "invalid field selector: invalid escape sequence: \\" });
});
