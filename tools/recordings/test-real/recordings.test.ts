/**
 * The recordings that `npm test` compares with are what kube-apiserver answers today: all of them are recorded anew, on
 * control planes of their own, and compared with the committed files. A recording that is wrong is made anew by its
 * recorder, and what then fails in `npm test` is wrong in the embedded server.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { CORE, recordCrds } from "../../crd-oracle/oracle.ts";
import { GOLDENS, recordBuiltins } from "../../record-builtins/record.ts";
import { OUTPUT, type RecordedRow, recordTables } from "../../table-oracle/record.ts";

const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
/** Ages, uids, times and addresses that were handed out. */
const PASSING =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:]+Z|\b10\.0\.0\.\d+|\b\d+[smhdy](?:\d+[smhd])?\b/g;

/** What kube-apiserver finds out about an object a moment after it was made. */
const JUDGED_COLUMN: Readonly<Record<string, string>> = { apiservices: "Available", flowschemas: "MissingPL" };

test("the built-in kinds are answered for as recorded", async () => {
  for (const [file, scenarios] of Object.entries(await recordBuiltins(programs))) {
    const committed = JSON.parse(readFileSync(new URL(`${file}.json`, GOLDENS), "utf8"));
    assert.deepEqual(asJson(scenarios), committed, file);
  }
});

test("tables are printed as recorded", async () => {
  const rows = await recordTables(programs);
  const committed: readonly RecordedRow[] = JSON.parse(readFileSync(OUTPUT, "utf8"));
  assert.equal(rows.length, committed.length);
  for (const [index, row] of rows.entries()) assert.deepEqual(printed(row), printed(committed[index] as RecordedRow));
});

test("custom resource definitions are accepted and refused as recorded", async () => {
  for (const [file, value] of Object.entries(await recordCrds(programs))) {
    assert.deepEqual(asJson(value), JSON.parse(readFileSync(resolve(CORE, file), "utf8")), file);
  }
});

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** What is printed of an object, whenever it was made. */
function printed({ path, columns, cells, conditions }: RecordedRow): unknown {
  const lasting = cells
    .filter((_, column) => columns[column]?.[0] !== JUDGED_COLUMN[path.slice(path.lastIndexOf("/") + 1)])
    .map((cell) => (typeof cell === "string" ? cell.replace(PASSING, "…") : cell));
  return asJson({ path, columns, cells: lasting, conditions });
}
