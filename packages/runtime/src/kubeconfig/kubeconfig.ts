/**
 * Kubeconfig files: what they hold, reading them, and merging several as kubectl does (the first to say something wins). Paths in a file
 * are relative to it. connection.ts turns the chosen context into a way to reach a server.
 */
import { dirname, isAbsolute, join } from "node:path";
import type { Files } from "@kubewright/core/ports";
import { type ConfigurationError, configurationError } from "./configuration-error.ts";

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
  /** The files that were read, as $KUBECONFIG lists them. */
  readonly place: string;
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
  const found: string[] = [];
  for (const path of paths) {
    const file = await readFile(path, files);
    if (file === undefined) continue;
    found.push(path);
    currentContext ??= file["current-context"] === "" ? undefined : file["current-context"];
    addMissing(merged.clusters, file.clusters, (entry) => resolvePaths(entry.cluster, path));
    addMissing(merged.users, file.users, (entry) => resolveCommand(resolvePaths(entry.user, path), path));
    addMissing(merged.userFiles, file.users, () => path);
    addMissing(merged.contexts, file.contexts, (entry) => stated(entry.context));
  }
  return found.length === 0 ? undefined : { place: found.join(":"), currentContext, ...merged };
}

/** What a file says; undefined if it does not exist. */
async function readFile(path: string, files: Files): Promise<KubeconfigFile | undefined> {
  const value = await parseFile(path, files).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null) {
    throw configurationError(`the kubeconfig ${path} is empty; point --kubeconfig or $KUBECONFIG to another one`);
  }
  for (const [key, list] of Object.entries(value)) if (LISTS.includes(key)) checkList(key, list, path);
  return value;
}

async function parseFile(path: string, files: Files): Promise<unknown> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    if (text.trimStart().startsWith("{")) return JSON.parse(text);
  } catch {} // YAML may begin so, too; if it is none, its errors show less of the file.
  return parseYaml(text);
}

/** Only the first line: the others show a piece of the file, which may be a secret. */
function unreadable(path: string, error: unknown): ConfigurationError {
  const [why = ""] = (error instanceof Error ? error.message : String(error)).split(/:?\s*\n/);
  const remedy = "correct it, or point --kubeconfig or $KUBECONFIG to another one";
  return configurationError(`the kubeconfig ${path} cannot be read: ${why}; ${remedy}`, { cause: error });
}

const LISTS: readonly string[] = ["clusters", "users", "contexts"];

function checkList(key: string, list: unknown, path: string): void {
  if (list === null || (Array.isArray(list) && list.every((entry) => typeof entry?.name === "string"))) return;
  throw configurationError(`the kubeconfig ${path} is broken: ${key} must be a list of entries that have a name`);
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

/** The fields of clusters and users that name a file. */
export const FILE_FIELDS: readonly string[] = [
  "certificate-authority",
  "client-certificate",
  "client-key",
  "tokenFile",
];

/** What is said: to kubectl a null or an empty text is as good as none. */
function stated<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, said]) => said !== null && said !== "")) as Value;
}

function resolvePaths<Value extends object>(value: Value, file: string): Value {
  const entries = Object.entries(stated(value)).map(([key, path]) =>
    FILE_FIELDS.includes(key) && typeof path === "string" && !isAbsolute(path)
      ? [key, join(dirname(file), path)]
      : [key, path],
  );
  return Object.fromEntries(entries) as Value;
}

/** A program is looked for in PATH, unless it is named by a path, which is relative to the file. */
function resolveCommand(user: KubeconfigUser, file: string): KubeconfigUser {
  const { exec } = user;
  if (typeof exec?.command !== "string" || !exec.command.includes("/") || isAbsolute(exec.command)) return user;
  return { ...user, exec: { ...exec, command: join(dirname(file), exec.command) } };
}
