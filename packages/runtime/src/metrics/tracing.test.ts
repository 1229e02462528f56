import assert from "node:assert/strict";
import { test } from "node:test";
import { type Span, type Tracer, traced, tracedTransport } from "./tracing.ts";

/** Notes what happens to spans, as text. */
function notingTracer(lines: string[]): Tracer {
  return {
    startActiveSpan(name, { attributes }, work) {
      lines.push(`start ${name} ${JSON.stringify(attributes)}`);
      const span: Span = {
        setAttribute: (key, value) => lines.push(`${key}=${value}`),
        recordException: (error) => lines.push(`exception ${error.message}`),
        setStatus: ({ code }) => lines.push(`status ${code}`),
        end: () => lines.push("end"),
      };
      return work(span);
    },
  };
}

test("a span is open while the work runs, and tells of its failure", async () => {
  const lines: string[] = [];
  const failing = traced(notingTracer(lines), { name: "reconcile", attributes: { key: "a" } }, async () => {
    lines.push("work");
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  assert.deepEqual(lines, ['start reconcile {"key":"a"}', "work", "exception no", "status 2", "end"]);
});

test("each request is a span without its query", async () => {
  const lines: string[] = [];
  const inner = { send: async () => ({ status: 201, headers: {}, body: (async function* () {})() }) };
  await tracedTransport(inner, notingTracer(lines)).send({ method: "POST", path: "/api/v1/pods?fieldManager=x" });
  assert.deepEqual(lines, [
    'start POST /api/v1/pods {"http.request.method":"POST","url.path":"/api/v1/pods"}',
    "http.response.status_code=201",
    "end",
  ]);
});

test("without a tracer the transport is left as it is", () => {
  const inner = { send: () => Promise.reject(new Error("unused")) };
  assert.equal(tracedTransport(inner, undefined), inner);
});
