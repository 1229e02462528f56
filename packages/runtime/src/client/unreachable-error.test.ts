import assert from "node:assert/strict";
import { test } from "node:test";
import { unreachableError } from "./unreachable-error.ts";

test("a server with several addresses that all refuse is told with each of them", () => {
  const cause = new AggregateError([
    new Error("connect ECONNREFUSED ::1:6443"),
    new Error("connect ECONNREFUSED 127.0.0.1:6443"),
  ]);
  const { message } = unreachableError({ method: "GET", path: "/api?limit=1" }, cause);
  assert.equal(
    message,
    "no whole answer from the API server to GET /api: connect ECONNREFUSED ::1:6443, connect ECONNREFUSED 127.0.0.1:6443",
  );
});
