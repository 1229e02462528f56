import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { CrdInput } from "../crd/crd-input.ts";
import { validateCrd } from "../crd/validate-crd.ts";
import { toCrd } from "../schema/crd.ts";
import { cronSchedule } from "../schema/cron-field.ts";
import { defineResource } from "../schema/define-resource.ts";
import { parseCron } from "./cron-schedule.ts";

const jobs = z.array(z.object({ schedule: cronSchedule().describe("When.") })).max(64);
const Report = defineResource({ group: "example.com", version: "v1", kind: "Report", spec: z.object({ jobs }) });

test("a schedule makes a CRD that API servers accept, its rule within their budget", () => {
  // A CRD is JSON, which validation reads without knowing its type.
  assert.deepEqual(validateCrd({ ...toCrd(Report), status: { storedVersions: ["v1"] } } as unknown as CrdInput), []);
});

test("what the field accepts can be read, and what cannot be meant is refused with the remedy", () => {
  const accepts = (text: string): boolean => cronSchedule()["~standard"].validate(text).issues === undefined;
  const good = ["*/1 * * * *", "0 8-18/2 1,15 jan-mar MON-fri", "59 23 31 12 7", "@daily", "0 0 ? * 1", "5  4 * * sun"];
  for (const text of good) {
    assert.ok(accepts(text), text);
    parseCron(text);
  }
  for (const text of ["", "61 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "* * * *", "@often"]) {
    assert.ok(!accepts(text), text);
  }
});
