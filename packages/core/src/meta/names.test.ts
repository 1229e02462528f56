import assert from "node:assert/strict";
import { test } from "node:test";
import {
  utf8Length,
  validateConfigKey,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validatePathSegment,
  validateQualifiedName,
} from "./names.ts";

test("good names have nothing wrong", () => {
  for (const name of ["a", "0", "a-b", "a".repeat(63)]) assert.deepEqual(validateDnsLabel(name), []);
  for (const name of ["a.b", "example.com", "a".repeat(253)]) assert.deepEqual(validateDnsSubdomain(name), []);
  for (const name of ["a", "a-1"]) assert.deepEqual(validateDns1035Label(name), []);
  for (const name of ["a", "A_b.c-d", "example.com/Name", `${"a".repeat(253)}/${"b".repeat(63)}`]) {
    assert.deepEqual(validateQualifiedName(name), []);
  }
  for (const value of ["", "a", "A_b.c-1", "a".repeat(63)]) assert.deepEqual(validateLabelValue(value), []);
  for (const name of ["system:node", "a b", "..."]) assert.deepEqual(validatePathSegment(name), []);
  for (const key of ["a", ".a", "A_b-c.d"]) assert.deepEqual(validateConfigKey(key), []);
});

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const KEY =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const cases: ReadonlyArray<
  readonly [check: (value: string) => readonly string[], value: string, errors: readonly string[]]
> = [
  [validateDnsLabel, "a.b", ["must not contain dots"]],
  [
    validateDnsLabel,
    "A",
    [
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [validateDnsLabel, "a".repeat(64), ["must be no more than 63 characters"]],
  [validateDnsSubdomain, "A_b", [SUBDOMAIN]],
  [validateDnsSubdomain, "a\n", [SUBDOMAIN]],
  [validateDnsSubdomain, "ä".repeat(127), ["must be no more than 253 characters", SUBDOMAIN]],
  [
    validateDns1035Label,
    "1a",
    [
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [validateQualifiedName, "", ["name part must be non-empty", `name part ${KEY}`]],
  [validateQualifiedName, "/a", ["prefix part must be non-empty"]],
  [validateQualifiedName, "A/a", [`prefix part ${SUBDOMAIN}`]],
  [
    validateQualifiedName,
    "a/b/c",
    [`a valid label key ${KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  [validateQualifiedName, "a".repeat(64), ["name part must be no more than 63 bytes"]],
  [validatePathSegment, "..", ["may not be '..'"]],
  [validatePathSegment, "a/b%", ["may not contain '/'", "may not contain '%'"]],
  [validateConfigKey, "..", ["must not be '..'"]],
  [validateConfigKey, "..a", ["must not start with '..'"]],
  [
    validateConfigKey,
    "a b",
    [
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
  ],
];

for (const [check, value, errors] of cases) {
  test(`${check.name} says what is wrong with ${JSON.stringify(value.slice(0, 20))}`, () =>
    assert.deepEqual(check(value), errors));
}

test("lengths are those of UTF-8", () => {
  for (const text of ["", "abc", "ä", "€", "😀", "a😀€"]) {
    assert.equal(utf8Length(text), new TextEncoder().encode(text).length);
  }
});

test("long hostile names are judged quickly", () => {
  for (const check of [validateDnsLabel, validateDnsSubdomain, validateQualifiedName, validateLabelValue]) {
    assert.notDeepEqual(check(`${"a".repeat(200_000)}!`), []);
    assert.notDeepEqual(check(`${"a-".repeat(100_000)}`), []);
  }
});
