import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatQuery,
  parseDeleteOptions,
  parseGetOptions,
  parseListOptions,
  parsePatchOptions,
  parseWriteOptions,
} from "./request-options.ts";

test("list options survive their query string", () => {
  const options = {
    labelSelector: "a in (b,c),!d",
    fieldSelector: "metadata.name=x&y",
    watch: true,
    allowWatchBookmarks: true,
    sendInitialEvents: false,
    resourceVersion: "12",
    resourceVersionMatch: "NotOlderThan",
    timeoutSeconds: 300,
    limit: 500,
    continue: "abc==",
  };
  assert.deepEqual(parseListOptions(new URLSearchParams(formatQuery(options))), options);
});

test("write, patch, get and delete options survive their query strings", () => {
  const write = { dryRun: ["All"], fieldManager: "me", fieldValidation: "Strict" };
  assert.deepEqual(parseWriteOptions(new URLSearchParams(formatQuery(write))), write);
  const patch = { ...write, force: true };
  assert.deepEqual(parsePatchOptions(new URLSearchParams(formatQuery(patch))), patch);
  assert.deepEqual(parseGetOptions(new URLSearchParams("resourceVersion=0&pretty=1")), { resourceVersion: "0" });
  const removal = { gracePeriodSeconds: 0, orphanDependents: false, propagationPolicy: "Foreground", dryRun: ["All"] };
  assert.deepEqual(parseDeleteOptions(new URLSearchParams(formatQuery(removal))), removal);
});

test("queries are sorted and leave out what is not set", () => {
  assert.equal(formatQuery({}), "");
  assert.equal(formatQuery({ watch: true, resourceVersion: "", limit: 0 }), "?limit=0&watch=true");
});

test("booleans are true unless they say 0 or false", () => {
  const watch = (query: string): boolean | undefined => parseListOptions(new URLSearchParams(query)).watch;
  assert.equal(watch(""), undefined);
  for (const query of ["watch", "watch=", "watch=1", "watch=yes"]) assert.equal(watch(query), true);
  for (const query of ["watch=0", "watch=false", "watch=FALSE"]) assert.equal(watch(query), false);
});

test("integers that are none are refused with Kubernetes' texts", () => {
  assert.throws(() => parseListOptions(new URLSearchParams("limit=x")), {
    message: 'strconv.ParseInt: parsing "x": invalid syntax',
  });
  assert.throws(() => parseDeleteOptions(new URLSearchParams("gracePeriodSeconds=9223372036854775808")), {
    message: 'strconv.ParseInt: parsing "9223372036854775808": value out of range',
  });
});

test("the first of repeated parameters counts", () => {
  assert.equal(parseListOptions(new URLSearchParams("limit=1&limit=2")).limit, 1);
});
