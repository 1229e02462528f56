import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock, Logger } from "@kubewright/core/ports";
import { type ConsoleLoggerOptions, createConsoleLogger } from "./console-logger.ts";

const clock: Clock = { now: () => 1500, monotonic: () => 0, schedule: () => () => {} };

function capture(options: Partial<ConsoleLoggerOptions>, use: (logger: Logger) => void): string {
  let output = "";
  const write = (line: string): void => {
    output += line;
  };
  use(createConsoleLogger({ clock, write, ...options }));
  return output;
}

test("a line is JSON with time, level, message and fields", () => {
  const line = capture({}, (logger) => logger.info("created", { name: "a", generation: 2n ** 60n }));
  assert.equal(
    line,
    '{"time":"1970-01-01T00:00:01.500Z","level":"info","message":"created","name":"a","generation":1152921504606846976}\n',
  );
});

test("fields cannot replace time, level or message", () => {
  const line = capture({}, (logger) => logger.warn("x", { level: "debug", message: "y" }));
  assert.deepEqual(JSON.parse(line), {
    time: "1970-01-01T00:00:01.500Z",
    level: "warn",
    message: "x",
    field_level: "debug",
    field_message: "y",
  });
});

test("levels below the set one are silent", () => {
  const levels = (level: "debug" | "info" | "warn" | "error"): string[] =>
    capture({ level }, (logger) => {
      logger.debug("");
      logger.info("");
      logger.warn("");
      logger.error("");
    })
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).level as string);
  assert.deepEqual(levels("debug"), ["debug", "info", "warn", "error"]);
  assert.deepEqual(levels("warn"), ["warn", "error"]);
});

test("a logger made with fields writes them on every line", () => {
  const output = capture({ format: "pretty" }, (logger) => {
    const child = logger.with({ controller: "memcached" });
    child.info("one", { key: undefined });
    child.with({ object: "shop/a b" }).error("two");
  });
  assert.equal(
    output,
    '00:00:01.500 INFO  one controller=memcached\n00:00:01.500 ERROR two controller=memcached object="shop/a b"\n',
  );
});

test("a pretty line is one line, whatever is in it", () => {
  const line = capture({ format: "pretty" }, (logger) =>
    logger.info("a\nINFO forged\x1b[31m", { text: "b\nc", list: [1, "x"] }),
  );
  assert.equal(line, '00:00:01.500 INFO  a\\nINFO forged\\u001b[31m text="b\\nc" list=[1,"x"]\n');
});

test("S12: no control character reaches a line but its end, and a JSON line stays what was said", () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");
  for (const format of ["json", "pretty"] as const) {
    const line = capture({ format }, (logger) => logger.info(controls, { [controls]: controls, list: [controls] }));
    assert.match(line, /^\P{Cc}*\n$/u);
    if (format === "json") assert.equal(JSON.parse(line).message, controls);
  }
});

test("secrets never reach a line", () => {
  const secrets = ["hunter2", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", "c2VjcmV0ZGF0YQ==", "MIIEvSECRETKEY"];
  const [password = "", webToken = "", data = "", pem = ""] = secrets;
  const line = capture({}, (logger) =>
    logger.error(`login failed`, {
      password,
      dbPassword: password,
      nested: { "api-key": password, headers: { Authorization: `Bearer ${webToken}`, cookie: password } },
      clientKeyData: password,
      text: `sent Authorization: Basic ${data}`,
      jwt: webToken,
      config: `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----`,
      object: { kind: "Secret", metadata: { name: "db" }, data: { x: data }, stringData: { y: password } },
      error: new Error(`cannot use Bearer ${webToken}`, { cause: { token: password } }),
      list: [{ accessToken: password }],
    }),
  );
  for (const secret of secrets) assert.equal(line.includes(secret), false, `${secret} in ${line}`);
  assert.match(line, /"name":"db"/);
});

test("names of secrets are not secrets", () => {
  const fields = {
    key: "shop/a",
    secretName: "db",
    tokenCount: 3,
    secretRef: { name: "db" },
    tokenType: "jwt",
    hasToken: true,
  };
  const {
    time: _time,
    level: _level,
    message: _message,
    ...written
  } = JSON.parse(capture({}, (logger) => logger.info("", fields)));
  assert.deepEqual(written, fields);
});

test("errors keep name, message, code and cause", () => {
  const cause = Object.assign(new Error("inner"), { code: "ECONNRESET" });
  const { error } = JSON.parse(
    capture({}, (logger) => logger.error("x", { error: new TypeError("outer", { cause }) })),
  );
  assert.equal(error.name, "TypeError");
  assert.equal(error.message, "outer");
  assert.match(error.stack, /outer/);
  assert.equal(error.cause.code, "ECONNRESET");
});

test("cycles, bytes, functions and long texts do not break a line", () => {
  const cycle: Record<string, unknown> = {};
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) cycle[name] = cycle;
  const fields = {
    cycle,
    bytes: new Uint8Array(5),
    run: () => 1,
    text: "x".repeat(1_000_000),
    map: new Map([["a", 1n]]),
  };
  const line = capture({}, (logger) => logger.info("", fields));
  assert.ok(line.length < 400_000);
  assert.match(line, /"bytes":"\[5 bytes\]"/);
  assert.match(line, /"map":\{"a":1\}/);
});
