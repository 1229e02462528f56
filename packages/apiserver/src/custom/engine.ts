/** The engine of structural schemas and CEL, loaded when the first custom resource or CRD needs it. */
type Engine = typeof import("@kubewright/core/engine");

let engine: Engine | undefined;

/** Loads the engine; strategies that use it name this as their `load`. */
export async function loadEngine(): Promise<void> {
  engine ??= await import("@kubewright/core/engine");
}

/** The engine, which `loadEngine` has loaded. */
export function loadedEngine(): Engine {
  if (engine === undefined) throw new Error("the engine is not loaded; await the strategy's load first");
  return engine;
}
