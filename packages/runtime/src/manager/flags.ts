/**
 * The flags of an operator's process, named as those of controller-runtime's operators, and the environment variables beside them.
 * Typed options of `runOperator` are the defaults; flags win.
 */
import { validateDnsLabel, validateDnsSubdomain } from "@kubewright/core/meta";
import { toMilliseconds } from "../controller/duration.ts";

/** What flags and environment decide. */
export interface OperatorFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly allowExecCredentials: boolean;
  readonly leaderElect: boolean;
  readonly leaderElectionId?: string;
  readonly leaderElectionNamespace?: string;
  /** "0" for none. */
  readonly metricsBindAddress: string;
  readonly metricsSecure: boolean;
  /** "0" for none. */
  readonly healthProbeBindAddress: string;
  /** On loopback; "0" for none. */
  readonly debugBindAddress: string;
  /** Empty for all. */
  readonly namespaces: readonly string[];
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly logFormat: "json" | "pretty";
  readonly gracefulShutdownTimeout: string;
}

interface Flag {
  readonly key: keyof OperatorFlags;
  readonly kind: "text" | "switch" | "list";
  /** What `--help` says of it. */
  readonly about: string;
}

const FLAGS: ReadonlyMap<string, Flag> = new Map<string, Flag>([
  [
    "kubeconfig",
    { key: "kubeconfig", kind: "text", about: "file that says where the cluster is; in a pod none is needed" },
  ],
  ["context", { key: "context", kind: "text", about: "which context of the kubeconfig; the current one if not given" }],
  [
    "allow-exec-credentials",
    { key: "allowExecCredentials", kind: "switch", about: "run the program that the kubeconfig names to log in" },
  ],
  ["leader-elect", { key: "leaderElect", kind: "switch", about: "of several replicas only one works at a time" }],
  [
    "leader-election-id",
    { key: "leaderElectionId", kind: "text", about: "name of the Lease; the operator's if not given" },
  ],
  [
    "leader-election-namespace",
    {
      key: "leaderElectionNamespace",
      kind: "text",
      about: "where the Lease is; the operator's namespace if not given",
    },
  ],
  [
    "metrics-bind-address",
    { key: "metricsBindAddress", kind: "text", about: "where /metrics is served; 0 for nowhere" },
  ],
  ["metrics-secure", { key: "metricsSecure", kind: "switch", about: "metrics by HTTPS, for those who may read them" }],
  [
    "health-probe-bind-address",
    { key: "healthProbeBindAddress", kind: "text", about: "where /healthz and /readyz are served; 0 for nowhere" },
  ],
  [
    "debug-bind-address",
    { key: "debugBindAddress", kind: "text", about: "where the last reconciles are told, on loopback; 0 for nowhere" },
  ],
  [
    "namespace",
    { key: "namespaces", kind: "list", about: "namespaces to work in, with commas between; all if not given" },
  ],
  ["log-level", { key: "logLevel", kind: "text", about: "debug, info, warn or error" }],
  ["log-format", { key: "logFormat", kind: "text", about: "json or pretty" }],
  [
    "graceful-shutdown-timeout",
    { key: "gracefulShutdownTimeout", kind: "text", about: "how long reconciles may take to end when it is stopped" },
  ],
]);

const DEFAULTS: OperatorFlags = {
  allowExecCredentials: false,
  leaderElect: false,
  metricsBindAddress: ":8080",
  metricsSecure: false,
  healthProbeBindAddress: ":8081",
  debugBindAddress: "0",
  namespaces: [],
  logLevel: "info",
  logFormat: "json",
  gracefulShutdownTimeout: "30s",
};

/** Reads arguments and environment over `defaults`. Throws for an unknown flag, naming those there are. */
export function parseFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  defaults: Partial<OperatorFlags> = {},
): OperatorFlags {
  const { WATCH_NAMESPACE } = env;
  const watched = WATCH_NAMESPACE === undefined ? undefined : toList(WATCH_NAMESPACE);
  const values: Record<string, unknown> = { ...DEFAULTS, ...defaults };
  if (watched !== undefined) values["namespaces"] = watched;
  for (let index = 0; index < args.length; index += 1) {
    const { name, flag, text } = splitArgument(args[index] ?? "");
    const next = args[index + 1];
    if (flag.kind === "switch") values[flag.key] = toSwitch(text, name);
    else if (text !== undefined) values[flag.key] = flag.kind === "list" ? toList(text) : text;
    else if (next !== undefined) {
      values[flag.key] = flag.kind === "list" ? toList(next) : next;
      index += 1;
    } else throw new Error(`the flag ${args[index]} needs a value`);
  }
  const flags = checked(values as unknown as OperatorFlags);
  checkNames(flags, flags.namespaces === watched ? "WATCH_NAMESPACE" : "--namespace");
  return flags;
}

/** True when somebody asks for the flags instead of giving some. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.some((argument) => argument === "--help" || argument === "-h");
}

/** The flags with their defaults, as `--help` prints them. */
export function formatFlags(defaults: Partial<OperatorFlags> = {}): string {
  const values = { ...DEFAULTS, ...defaults };
  const lines = [...FLAGS].map(([name, { key, kind, about }]) => {
    const flag = kind === "switch" ? `--${name}` : `--${name} <${kind}>`;
    const value = String(values[key] ?? "");
    return `  ${flag.padEnd(38)} ${about}${value === "" || value === "false" ? "" : ` (${value})`}`;
  });
  return ["Flags:", ...lines, "", "WATCH_NAMESPACE in the environment does what --namespace does.", ""].join("\n");
}

function splitArgument(argument: string): {
  readonly name: string;
  readonly flag: Flag;
  readonly text: string | undefined;
} {
  const [, name = "", text] = /^--?([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
  const flag = FLAGS.get(name);
  if (flag !== undefined) return { name, flag, text };
  const known = [...FLAGS.keys()].map((each) => `--${each}`).join(", ");
  throw new Error(`unknown argument ${JSON.stringify(argument)}; the flags are ${known}`);
}

function toSwitch(text: string | undefined, name: string): boolean {
  if (text === undefined || text === "true") return true;
  if (text === "false") return false;
  throw new Error(`--${name} is either true or false, not ${JSON.stringify(text)}`);
}

function toList(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function checked(flags: OperatorFlags): OperatorFlags {
  if (!["debug", "info", "warn", "error"].includes(flags.logLevel)) {
    throw new Error(`--log-level is debug, info, warn or error, not ${JSON.stringify(flags.logLevel)}`);
  }
  if (!["json", "pretty"].includes(flags.logFormat)) {
    throw new Error(`--log-format is json or pretty, not ${JSON.stringify(flags.logFormat)}`);
  }
  const { gracefulShutdownTimeout: timeout } = flags;
  if (!isDuration(timeout)) {
    throw new Error(`--graceful-shutdown-timeout is a duration like 30s or 1m30s, not ${JSON.stringify(timeout)}`);
  }
  return flags;
}

/** Refuses names that no server would take; `origin` is where the namespaces come from. */
function checkNames(flags: OperatorFlags, origin: string): void {
  const { namespaces, leaderElectionId: id, leaderElectionNamespace: namespace } = flags;
  for (const name of namespaces) checkName(origin, name, validateDnsLabel);
  if (id !== undefined) checkName("--leader-election-id", id, validateDnsSubdomain);
  if (namespace !== undefined) checkName("--leader-election-namespace", namespace, validateDnsLabel);
}

function checkName(origin: string, name: string, validate: (name: string) => readonly string[]): void {
  const problems = validate(name);
  if (problems.length > 0) throw new Error(`${origin} cannot be ${JSON.stringify(name)}: ${problems.join("; ")}`);
}

function isDuration(text: string): boolean {
  try {
    return toMilliseconds(text) >= 0;
  } catch {
    return false;
  }
}
