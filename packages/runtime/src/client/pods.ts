/**
 * What pods do for their clients beyond being objects: their logs, and commands in their containers. Over streams of the subresources
 * `log`, `exec` and `attach`; messages of commands are those of `v5.channel.k8s.io`.
 */
import type { Status } from "@kubewright/core/protocol";
import type { Client, MessageConnection } from "./client.ts";
import { unstructured } from "./definitions.ts";
import type { CallOptions } from "./options.ts";
import type { Target } from "./target.ts";

/** Stated here so that a client does not load the definitions of the whole core group. */
const Pod = unstructured({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });

/** What is read of a container's log. */
export interface LogOptions extends CallOptions {
  /** @default the pod's only container, or its default one */
  readonly container?: string;
  /** Goes on until the container ends or the signal aborts. @default false */
  readonly follow?: boolean;
  /** The run before the current one. @default false */
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly sinceSeconds?: number;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

/**
 * The log of a container, as it comes.
 * @example for await (const piece of await readLogs(client, "web-0", { follow: true, signal })) write(piece);
 */
export function readLogs(client: Client, pod: Target, options: LogOptions = {}): Promise<AsyncIterable<Uint8Array>> {
  const { signal, ...query } = options;
  return client.subresource(Pod, "log").stream(pod, { query, ...(signal === undefined ? {} : { signal }) });
}

/** How a command's input and output are handled. */
export interface AttachOptions extends CallOptions {
  /** @default the pod's only container, or its default one */
  readonly container?: string;
  /** What the command reads. @default nothing */
  readonly stdin?: string | Uint8Array;
  /** Told of each piece of output, as it comes. */
  readonly onOutput?: (piece: Uint8Array, stream: "stdout" | "stderr") => void;
}

/** A command, and how its input and output are handled. */
export interface ExecOptions extends AttachOptions {
  /** The program and its arguments; no shell comes in between. */
  readonly command: readonly string[];
}

/** How a command ended. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Output beyond this is not kept; `onOutput` gets all of it. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const CLOSE = 255;

/**
 * Runs a command in a container; resolves when it has ended, whatever its exit code.
 * @example const { stdout } = await exec(client, "web-0", { command: ["cat", "/etc/hostname"] });
 */
export async function exec(client: Client, pod: Target, options: ExecOptions): Promise<ExecResult> {
  const { command } = options;
  return converse(await open(client, "exec", pod, { ...options, query: { command } }), options);
}

/** Attaches to what a container runs already; resolves when it has ended. */
export async function attach(client: Client, pod: Target, options: AttachOptions = {}): Promise<ExecResult> {
  return converse(await open(client, "attach", pod, { ...options, query: {} }), options);
}

function open(
  client: Client,
  subresource: "exec" | "attach",
  pod: Target,
  { container, stdin, signal, query }: AttachOptions & { readonly query: { readonly command?: readonly string[] } },
): Promise<MessageConnection> {
  const streams = { container, stdin: stdin === undefined ? undefined : true, stdout: true, stderr: true };
  const options = { query: { ...query, ...streams }, ...(signal === undefined ? {} : { signal }) };
  return client.subresource(Pod, subresource).connect(pod, options);
}

/** Speaks the protocol: input goes out and is ended, output is collected, and the status ends it. */
async function converse(connection: MessageConnection, { stdin, onOutput }: AttachOptions): Promise<ExecResult> {
  const output = { stdout: new Output(), stderr: new Output() };
  sendInput(connection, stdin);
  for await (const message of connection.messages) {
    const [channel] = message;
    const payload = message.subarray(1);
    if (channel === STATUS) return { exitCode: exitCodeOf(payload), ...texts(output) };
    if ((channel !== STDOUT && channel !== STDERR) || payload.byteLength === 0) continue;
    const stream = channel === STDOUT ? "stdout" : "stderr";
    output[stream].add(payload);
    onOutput?.(payload, stream);
  }
  throw new Error("the connection to the container ended before the command told its exit code");
}

function sendInput({ send }: MessageConnection, stdin: string | Uint8Array | undefined): void {
  if (stdin === undefined) return;
  if (send === undefined) throw new TypeError("this transport cannot send input to a container; leave out stdin");
  send(Buffer.concat([Buffer.from([STDIN]), Buffer.from(stdin as Uint8Array)]));
  send(Buffer.from([CLOSE, STDIN]));
}

/** Collected output, up to a limit. */
class Output {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  add(piece: Uint8Array): void {
    const kept = piece.subarray(0, Math.max(0, KEPT_BYTES_MAX - this.#bytes));
    this.#bytes += kept.byteLength;
    if (kept.byteLength > 0) this.#pieces.push(kept);
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}

function texts({ stdout, stderr }: { readonly stdout: Output; readonly stderr: Output }): Omit<ExecResult, "exitCode"> {
  return { stdout: stdout.text, stderr: stderr.text };
}

/** 0, the command's own code, or an error when it could not be run at all. */
function exitCodeOf(payload: Uint8Array): number {
  const status: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
  const { status: outcome, message, details } = status as Partial<Status>;
  if (outcome === "Success") return 0;
  const cause = details?.causes?.find(({ reason }) => reason === "ExitCode");
  if (cause?.message === undefined)
    throw new Error(`the command could not be run: ${message ?? "for no given reason"}`);
  return Number(cause.message);
}
