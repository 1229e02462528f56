/**
 * Kubeconfig files: what they hold, reading them, and merging several as kubectl does (the first to say something wins). Paths in a file
 * are relative to it. connection.ts turns the chosen context into a way to reach a server.
 */
import { dirname, isAbsolute, join } from "node:path";
import type { Files } from "@kubewright/core/ports";

/** A server and how to know it. */
export interface KubeconfigCluster {
  readonly server?: string;
  readonly "certificate-authority"?: string;
  readonly "certificate-authority-data"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "tls-server-name"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  readonly extensions?: ReadonlyArray<{ readonly name: string; readonly extension?: unknown }>;
}

/** A program that gives credentials. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: ReadonlyArray<{ readonly name: string; readonly value: string }> | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  /** Whether it asks its user: "Never", "IfAvailable" or "Always". */
  readonly interactiveMode?: string | null;
}

/** Somebody, and how to prove it. */
export interface KubeconfigUser {
  readonly "client-certificate"?: string;
  readonly "client-certificate-data"?: string;
  readonly "client-key"?: string;
  readonly "client-key-data"?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly "as-uid"?: string;
  readonly "as-groups"?: readonly string[];
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  readonly exec?: ExecPlugin;
  readonly "auth-provider"?: { readonly name: string; readonly config?: Readonly<Record<string, string>> };
}

/** A cluster, a user and a namespace. */
export interface KubeconfigContext {
  readonly cluster: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** Everything that kubeconfig files say, by name. */
export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
  /** Which file each user stands in, by name: renewed credentials are written there. */
  readonly userFiles: ReadonlyMap<string, string>;
}

interface KubeconfigFile {
  readonly "current-context"?: string;
  readonly clusters?: ReadonlyArray<{ readonly name: string; readonly cluster: KubeconfigCluster }> | null;
  readonly users?: ReadonlyArray<{ readonly name: string; readonly user: KubeconfigUser }> | null;
  readonly contexts?: ReadonlyArray<{ readonly name: string; readonly context: KubeconfigContext }> | null;
}

/** Reads and merges files; those that do not exist are left out, and undefined comes back when none does. */
export async function readKubeconfig(paths: readonly string[], files: Files): Promise<Kubeconfig | undefined> {
  const merged = { clusters: new Map(), users: new Map(), contexts: new Map(), userFiles: new Map() };
  let currentContext: string | undefined;
  let found = false;
  for (const path of paths) {
    const bytes = await files.read(path);
    if (bytes === undefined) continue;
    found = true;
    const file = await parseFile(new TextDecoder().decode(bytes), path);
    currentContext ??= file["current-context"] === "" ? undefined : file["current-context"];
    addMissing(merged.clusters, file.clusters, (entry) => resolvePaths(entry.cluster, path));
    addMissing(merged.users, file.users, (entry) => resolveCommand(resolvePaths(entry.user, path), path));
    addMissing(merged.userFiles, file.users, () => path);
    addMissing(merged.contexts, file.contexts, (entry) => stated(entry.context));
  }
  return found ? { currentContext, ...merged } : undefined;
}

async function parseFile(text: string, path: string): Promise<KubeconfigFile> {
  try {
    const value: unknown = text.trimStart().startsWith("{") ? JSON.parse(text) : await parseYaml(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    throw new Error(`the kubeconfig ${path} cannot be read: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  throw new Error(`the kubeconfig ${path} is empty; point --kubeconfig or $KUBECONFIG to another one`);
}

/** The YAML library is loaded only by those who have a kubeconfig: an operator in a cluster has none. */
async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  return parse(text, { maxAliasCount: 100 });
}

function addMissing<Entry extends { readonly name: string }, Value>(
  map: Map<string, Value>,
  entries: readonly Entry[] | null | undefined,
  toValue: (entry: Entry) => Value,
): void {
  for (const entry of entries ?? []) if (!map.has(entry.name)) map.set(entry.name, toValue(entry));
}

const PATHS: readonly string[] = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/** What is said: to kubectl a null or an empty text is as good as none. */
function stated<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, said]) => said !== null && said !== "")) as Value;
}

function resolvePaths<Value extends object>(value: Value, file: string): Value {
  const entries = Object.entries(stated(value)).map(([key, path]) =>
    PATHS.includes(key) && typeof path === "string" && !isAbsolute(path)
      ? [key, join(dirname(file), path)]
      : [key, path],
  );
  return Object.fromEntries(entries) as Value;
}

/** A program is looked for in PATH, unless it is named by a path, which is relative to the file. */
function resolveCommand(user: KubeconfigUser, file: string): KubeconfigUser {
  const { exec } = user;
  if (!exec?.command.includes("/") || isAbsolute(exec.command)) return user;
  return { ...user, exec: { ...exec, command: join(dirname(file), exec.command) } };
}
