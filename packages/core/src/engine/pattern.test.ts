import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesPattern } from "./pattern.ts";

const mebibyte = "a".repeat(1 << 20);

test("patterns that backtrack for ever elsewhere answer about a mebibyte of text", () => {
  for (const pattern of ["(a+)+$", "(a*)*b", "(a|aa)+$", "^(a?){50}a{50}$", "(.*)(.*)(.*)(.*)x$"]) {
    assert.equal(matchesPattern(pattern, `${mebibyte}!`), false, pattern);
  }
});

test("patterns that would grow without bound are refused", () => {
  for (const pattern of ["a{1000}{1000}", "a{1001}", "((a{100}){100}){100}"]) {
    assert.match(String(matchesPattern(pattern, "a")), /error parsing regexp: invalid/, pattern);
  }
});

test("RE2 has no lookaround and no back references", () => {
  for (const pattern of ["(?=a)", "(?<!a)b", "(a)\\1"])
    assert.ok(matchesPattern(pattern, "a") instanceof Error, pattern);
});

test("flags, classes and Unicode are those of RE2", () => {
  assert.equal(matchesPattern("(?i)^ABC$", "abc"), true);
  assert.equal(matchesPattern("^[[:alpha:]]+$", "ab1"), false);
  assert.equal(matchesPattern("^\\p{Greek}+$", "αβγ"), true);
});
