/** Events end an hour after their last write. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "@kubewright/core/ports";
import { createStorage } from "../../storage/memory.ts";
import type { Storage } from "../../storage/storage.ts";
import { expireEvents } from "./event-expiry.ts";

const HOUR_MS = 60 * 60 * 1000;

function clockAt(time: { nowMs: number }): Clock {
  return { now: () => time.nowMs, monotonic: () => time.nowMs, schedule: () => () => {} };
}

function write(storage: Storage, key: string): void {
  const expected = storage.get("events", key)?.revision ?? 0;
  const encode = (revision: number): string => `{"metadata":{"resourceVersion":"${revision}"}}`;
  storage.commit({ resource: "events", key, operation: "put", expected, encode });
}

function keysOf(storage: Storage): string[] {
  return (storage.list("events", {})?.entries ?? []).map(({ key }) => key);
}

test("difference: expired events: an event goes an hour after its last write, when the next one is written", async () => {
  const time = { nowMs: 0 };
  const storage = createStorage();
  const stop = expireEvents(storage, clockAt(time));
  write(storage, "default/old");
  write(storage, "default/renewed");
  time.nowMs = HOUR_MS / 2;
  write(storage, "default/renewed");
  time.nowMs = HOUR_MS;
  write(storage, "default/new");
  await Promise.resolve();
  assert.deepEqual(keysOf(storage), ["default/new", "default/renewed"]);
  stop();
});

test("events that were there at the start count from the start", async () => {
  const time = { nowMs: 0 };
  const storage = createStorage();
  write(storage, "default/before");
  const stop = expireEvents(storage, clockAt(time));
  time.nowMs = HOUR_MS;
  write(storage, "default/new");
  await Promise.resolve();
  assert.deepEqual(keysOf(storage), ["default/new"]);
  stop();
});
