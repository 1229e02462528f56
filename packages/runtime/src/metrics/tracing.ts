/**
 * Tracing: a span per reconcile and per request, for those who have OpenTelemetry. The tracer is passed in; its interface is the part
 * of `@opentelemetry/api`'s Tracer that is used here, so that nothing depends on that package.
 */
import type { Transport } from "@kubewright/core/ports";

/** A span that is open. */
export interface Span {
  setAttribute(key: string, value: string | number | boolean): unknown;
  recordException(error: Error): void;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** Opens spans: `trace.getTracer("my-operator")` of `@opentelemetry/api` is one. */
export interface Tracer {
  startActiveSpan<Result>(
    name: string,
    options: { readonly attributes?: Readonly<Record<string, string | number | boolean>> },
    work: (span: Span) => Result,
  ): Result;
}

/** SpanStatusCode.ERROR of OpenTelemetry. */
const ERROR = 2;

/** Runs `work` in a span, which ends with it and tells whether it failed; without a tracer it just runs. */
export function traced<Value>(
  tracer: Tracer | undefined,
  span: { readonly name: string; readonly attributes: Readonly<Record<string, string | number | boolean>> },
  work: (span: Span | undefined) => Promise<Value>,
): Promise<Value> {
  if (tracer === undefined) return work(undefined);
  return tracer.startActiveSpan(span.name, { attributes: span.attributes }, async (opened) => {
    try {
      return await work(opened);
    } catch (error) {
      if (error instanceof Error) opened.recordException(error);
      opened.setStatus({ code: ERROR, message: String(error) });
      throw error;
    } finally {
      opened.end();
    }
  });
}

/** The transport, with a span for each request until the head of its answer. */
export function tracedTransport(transport: Transport, tracer: Tracer | undefined): Transport {
  if (tracer === undefined) return transport;
  return {
    send(request) {
      const [path = ""] = request.path.split("?");
      const attributes = { "http.request.method": request.method, "url.path": path };
      return traced(tracer, { name: `${request.method} ${path}`, attributes }, async (span) => {
        const response = await transport.send(request);
        span?.setAttribute("http.response.status_code", response.status);
        return response;
      });
    },
  };
}
