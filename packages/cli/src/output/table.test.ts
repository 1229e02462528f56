import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTable } from "./table.ts";

test("columns are as wide as their widest cell and lines have no spaces at their end", () => {
  const table = formatTable(
    ["KIND", "NAME"],
    [
      ["Memcached", "a"],
      ["App", ""],
    ],
  );
  assert.equal(table, "KIND        NAME\nMemcached   a\nApp");
});
