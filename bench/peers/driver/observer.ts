/**
 * Watches Widgets and ConfigMaps from outside, and tells when each became what an operator should make it. Knows nothing of any
 * framework. A watch that the server ends, as it does to slow clients, is opened again.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "./api.ts";
import { configMapPath, OWN_CONFIG_MAPS, widgetPath } from "./widgets.ts";

const REOPEN_MS = 50;

/** When each name was first seen ready, or with its ConfigMap; by `performance.now()`. */
export interface Observer extends Disposable {
  readonly readyMs: ReadonlyMap<string, number>;
  readonly configMapMs: ReadonlyMap<string, number>;
  /** Resolves when `condition` holds, which is looked at after every event; rejects after `timeoutMs`. */
  until(condition: () => boolean, timeoutMs: number, what: string): Promise<void>;
}

/** What is watched. */
export interface ObserveOptions {
  /** Leaves out what is there already. @default false */
  readonly fresh?: boolean;
  /** @default that of everything */
  readonly namespace?: string;
}

/** Watches from now on; resolves when both watches are open. */
export async function observe(api: Api, { fresh = false, namespace }: ObserveOptions = {}): Promise<Observer> {
  const stop = new AbortController();
  const readyMs = new Map<string, number>();
  const configMapMs = new Map<string, number>();
  let check: () => void = () => {};
  const note = (seen: Map<string, number>, line: string): void => {
    const name = nameIn(line);
    if (name === undefined || seen.has(name)) return;
    seen.set(name, performance.now());
    check();
  };
  const follow = (path: string, query: string, onLine: (line: string) => void) =>
    followLines({ api, path, query, fresh, onLine, signal: stop.signal });
  await Promise.all([
    follow(widgetPath(undefined, namespace), "", (line) => {
      if (line.includes('"ready":true')) note(readyMs, line);
    }),
    follow(configMapPath(undefined, namespace), OWN_CONFIG_MAPS, (line) => {
      if (line.startsWith('{"type":"ADDED"')) note(configMapMs, line);
    }),
  ]);
  return {
    readyMs,
    configMapMs,
    until(condition, timeoutMs, what) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => reject(new Error(`not in ${timeoutMs / 1000} s: ${what}`)), timeoutMs);
      check = () => {
        if (!condition()) return;
        clearTimeout(timer);
        check = () => {};
        resolve();
      };
      check();
      return promise;
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

interface Follow {
  readonly api: Api;
  readonly path: string;
  readonly query: string;
  readonly fresh: boolean;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Opens a watch and keeps it open; resolves when the server has sent its first line, a bookmark when there is nothing. */
async function followLines({ api, path, query, fresh, onLine, signal }: Follow): Promise<void> {
  const list = await api.call("GET", `${path}?limit=1`);
  let version = fresh ? (list["metadata"] as { readonly resourceVersion: string }).resourceVersion : undefined;
  const opened = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const start =
        version === undefined
          ? "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
          : `resourceVersion=${version}`;
      const address = `${path}?watch=1&allowWatchBookmarks=true&${start}&${query}`;
      const lines = api.lines(
        address,
        (line) => {
          version = versionIn(line) ?? version;
          opened.resolve();
          onLine(line);
        },
        signal,
      );
      if (fresh) opened.resolve();
      await lines;
      await delay(REOPEN_MS);
    }
  };
  run().catch(opened.reject);
  await opened.promise;
}

/** The name in an event: the first one, because owners come after it, and text within annotations has its quotes escaped. */
export function nameIn(line: string): string | undefined {
  return /"name":"([^"]*)"/.exec(line)?.[1];
}

function versionIn(line: string): string | undefined {
  return /"resourceVersion":"(\d+)"/.exec(line)?.[1];
}
