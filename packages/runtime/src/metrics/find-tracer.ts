/**
 * Finds OpenTelemetry where a program has it. Copies of its API package find each other, and the SDK that the program registered, by a
 * symbol; so do we, without the package. run-operator.ts asks when nobody passed a tracer; tracing.ts uses what is found.
 */
import type { SystemProcess } from "@kubewright/node";
import type { Tracer } from "./tracing.ts";

/** Where version 1 of the API keeps what an SDK registered. */
const API_1: symbol = Symbol.for("opentelemetry.js.api.1");

interface TracingApi {
  readonly trace?: { getTracer(name: string): Tracer };
}

/** The tracer of that name; undefined when no SDK was registered. */
export function findTracer(name: string, { shared }: Pick<SystemProcess, "shared">): Tracer | undefined {
  return (shared(API_1) as TracingApi | undefined)?.trace?.getTracer(name);
}
