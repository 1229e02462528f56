import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../ports/random.ts";
import { durationMs, formatDuration, parseDuration } from "./duration.ts";
import { isMalformed } from "./malformed.ts";
import { formatMicroTime, formatTime, parseMicroTime, parseTime } from "./time.ts";

test("times are read with any offset and decimals", () => {
  assert.equal(parseTime("1970-01-01T00:00:01Z"), 1000);
  assert.equal(parseTime("1970-01-01T01:00:00+01:00"), 0);
  assert.equal(parseTime("1969-12-31T19:00:00-05:00"), 0);
  assert.equal(parseTime("1970-01-01T00:00:00.25Z"), 250);
  assert.equal(parseTime("2024-02-29T23:59:59Z"), Date.UTC(2024, 1, 29, 23, 59, 59));
  assert.equal(formatTime(parseTime("0001-01-01T00:00:00Z")), "0001-01-01T00:00:00Z");
});

test("what is no time is refused", () => {
  const wrong = [
    "",
    "2024-01-01",
    "2023-02-29T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:00:60Z",
    "2024-13-01T00:00:00Z",
    "2024-01-01T00:00:00",
    "2024-01-01 00:00:00Z",
    "2024-01-01t00:00:00z",
    "2024-01-01T00:00:00+1:00",
    "24-01-01T00:00:00Z",
  ];
  for (const text of wrong) assert.throws(() => parseTime(text), isMalformed, text);
});

test("a MicroTime has six decimals, no more and no fewer", () => {
  assert.equal(parseMicroTime("1970-01-01T00:00:00.000001Z"), 0.001);
  for (const text of ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.1Z", "1970-01-01T00:00:00.0000001Z"]) {
    assert.throws(() => parseMicroTime(text), isMalformed, text);
  }
});

test("times are cut to the second, MicroTimes rounded to the microsecond", () => {
  assert.equal(formatTime(1999), "1970-01-01T00:00:01Z");
  assert.equal(formatTime(-1), "1969-12-31T23:59:59Z");
  assert.equal(formatMicroTime(1.5), "1970-01-01T00:00:00.001500Z");
  assert.equal(formatMicroTime(-0.001), "1969-12-31T23:59:59.999999Z");
  assert.equal(formatMicroTime(999.9999), "1970-01-01T00:00:01.000000Z");
});

test("for all times: printing and reading gives the same", () => {
  const random = seededRandom(5);
  for (let round = 0; round < 2000; round++) {
    const seconds = Math.floor(random.next() * 4e9) - 1e9;
    assert.equal(parseTime(formatTime(seconds * 1000)), seconds * 1000);
    const text = `${formatTime(seconds * 1000).slice(0, -1)}.${String(Math.floor(random.next() * 1e6)).padStart(6, "0")}Z`;
    assert.equal(formatMicroTime(parseMicroTime(text)), text);
  }
});

test("years that RFC 3339 cannot say are refused", () => {
  assert.throws(() => formatTime(Date.UTC(10000, 0)), RangeError);
  assert.throws(() => formatTime(Number.NaN), RangeError);
});

test("durations of users' code become milliseconds", () => {
  assert.equal(durationMs("30s"), 30_000);
  assert.equal(durationMs("2m30s"), 150_000);
  assert.equal(durationMs("1.5h"), 5_400_000);
  assert.equal(durationMs("250ms"), 250);
  assert.equal(durationMs("0"), 0);
  assert.throws(() => durationMs("30"), { message: 'time: missing unit in duration "30"' });
  assert.throws(() => durationMs("soon"), isMalformed);
  assert.throws(() => durationMs(`${"9".repeat(1_000_000)}s`), isMalformed);
});

test("for all durations: printing and reading gives the same", () => {
  const random = seededRandom(6);
  for (let round = 0; round < 2000; round++) {
    const nanoseconds = BigInt(Math.floor((random.next() - 0.5) * 2 ** (1 + random.next() * 60)));
    assert.equal(parseDuration(formatDuration(nanoseconds)), nanoseconds);
  }
});
