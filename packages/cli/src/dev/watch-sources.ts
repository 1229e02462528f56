/** Tells when sources of a project change: those of src, the samples and the configuration. Changes close together are one. */
import { existsSync, type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../command/command-context.ts";

/** Editors write several files, and some in several steps. */
const QUIET_MS = 60;
const WATCHED = ["src", "config/samples", "kubewright.config.ts"];
const RELEVANT = /\.(?:ts|mts|js|mjs|json|ya?ml)$/;

/** Changes, one after the other. */
export interface SourceChanges extends Disposable {
  /** The paths of the next change; undefined when the signal ends it. */
  next(): Promise<readonly string[] | undefined>;
}

/** Follows the sources in `folder`. */
export function watchSources(folder: string, { clock, signal }: CommandContext): SourceChanges {
  let changed = new Set<string>();
  let wake: (() => void) | undefined;
  let cancel: (() => void) | undefined;
  const onChange = (path: string): void => {
    if (!RELEVANT.test(path)) return;
    changed.add(path);
    cancel?.();
    cancel = clock.schedule(QUIET_MS, () => {
      cancel = undefined;
      wake?.();
    });
  };
  const watchers = WATCHED.map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .map((path) => follow(path, onChange));
  signal.addEventListener("abort", () => wake?.(), { once: true });
  return {
    async next() {
      if (!signal.aborted && (changed.size === 0 || cancel !== undefined)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (signal.aborted) return undefined;
      const paths = [...changed].toSorted();
      changed = new Set();
      return paths;
    },
    [Symbol.dispose]: () => {
      cancel?.();
      for (const watcher of watchers) watcher.close();
    },
  };
}

function follow(path: string, onChange: (path: string) => void): FSWatcher {
  const isFile = path.endsWith(".ts");
  return watch(path, { recursive: !isFile }, (_, name) => onChange(isFile ? path : join(path, name ?? "")));
}
