/**
 * The built-in kinds against kube-apiserver: every recorded request is put to the embedded server, which must answer
 * the same. tools/record-builtins records.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { readBody, seededRandom } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type ApiServer, createApiServer } from "../index.ts";
import { normalize } from "./testdata/normalize.ts";

interface RecordedStep {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly contentType?: string;
    readonly accept?: string;
  };
  readonly answer: unknown;
}

interface RecordedScenario {
  readonly name: string;
  readonly steps: readonly RecordedStep[];
}

/**
 * Refusals whose text shows an object in the internal form of Go, or the words of Go's time parser: the embedded server
 * shows the object as it was sent. Everything but the text must agree.
 */
const OTHER_WORDS = new Set(["leases", "privileged without escalation", "what changes in a job and what does not"]);

const FILES = [
  "addresses",
  "batch",
  "core",
  "network",
  "other",
  "pod-details",
  "pods",
  "services",
  "storage",
  "workloads",
];
/** Recorded with admission plugins, all others without. */
const ADMITTED = ["admission", "pod-security", "policies"];

for (const file of [...FILES, ...ADMITTED]) {
  const scenarios = await scenariosOf([file]);
  test(`${file} are answered as by kube-apiserver`, async (context) => {
    await using server = await createApiServer({
      clock: systemClock,
      random: seededRandom(1),
      admission: { disable: ADMITTED.includes(file) ? [] : ["*"] },
    });
    for (const { name, steps } of scenarios) {
      await context.test(name, async () => {
        for (const { request, answer } of steps) {
          const expected = OTHER_WORDS.has(name) ? withoutText(answer) : answer;
          const actual = normalize(await ask(server, request));
          assert.deepEqual(
            OTHER_WORDS.has(name) ? withoutText(actual) : actual,
            expected,
            `${request.method} ${request.path}`,
          );
        }
      });
    }
  });
}

async function ask({ transport }: ApiServer, request: RecordedStep["request"]): Promise<unknown> {
  const { method, path, body, contentType = "application/json", accept } = request;
  const response = await transport.send({
    method,
    path,
    headers: { "content-type": contentType, "user-agent": "corpus", ...(accept === undefined ? {} : { accept }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = Buffer.from(await readBody(response.body)).toString("utf8");
  const { warning = "", "content-type": type = "" } = response.headers;
  return {
    status: response.status,
    warnings: warning === "" ? [] : [warning],
    body: type.startsWith("application/json") ? JSON.parse(text) : text,
  };
}

/** An answer without the texts of a refusal. */
function withoutText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "message")
      .map(([name, item]) => [name, withoutText(item)]),
  );
}

test("difference: three refusals: kube-apiserver has other words, and nothing else differs", async () => {
  await using server = await createApiServer({
    clock: systemClock,
    random: seededRandom(1),
    admission: { disable: ["*"] },
  });
  const differing: string[] = [];
  for (const { name, steps } of await scenariosOf(FILES)) {
    if (!OTHER_WORDS.has(name)) continue;
    for (const { request, answer } of steps) {
      const actual = normalize(await ask(server, request));
      if (!isDeepStrictEqual(actual, answer)) differing.push(name);
    }
  }
  assert.deepEqual(differing.sort(), [...OTHER_WORDS].sort());
});

async function scenariosOf(files: readonly string[]): Promise<readonly RecordedScenario[]> {
  const texts = files.map((file) => readFile(new URL(`testdata/${file}.json`, import.meta.url), "utf8"));
  return (await Promise.all(texts)).flatMap((text) => JSON.parse(text) as readonly RecordedScenario[]);
}
