/**
 * `kubectl exec` and `attach` into simulated containers: the script's answer as messages of the remote command protocol
 * (v4 and v5.channel.k8s.io): each message is one channel number and its bytes, and the last one is the exit status.
 */
import type { Pod } from "@kubewright/api/core/v1";
import type { PodConnectRequest, PodHooks } from "@kubewright/apiserver";
import { badRequest } from "@kubewright/core/protocol";
import { behaviourOf, type ContainerScript, type ExecInput, type ExecResult } from "./script.ts";

const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;

/** The answer of the API server to a wish for a connection. */
type Answer = Awaited<ReturnType<NonNullable<PodHooks["connect"]>>>;

/** Answers a connection into a container from its script. */
export async function connect(request: PodConnectRequest, scripts: readonly ContainerScript[]): Promise<Answer> {
  const { kind, pod, container, call, input } = request;
  if (call.request.headers["upgrade"] === undefined) throw badRequest("Upgrade request required");
  requireRunning(pod, container);
  const { script } = scriptOf(pod, container, scripts);
  const command = call.info.query.getAll("command");
  const said = inputOf(input);
  const result = (): ExecResult | Promise<ExecResult> =>
    kind === "exec"
      ? run(script, { command, pod, input: said })
      : (script.attach?.(pod, said) ?? { stdout: textOf(script, pod, container) });
  return { status: 200, headers: {}, body: messagesOf(result) };
}

/** The messages of a command, which runs once somebody listens: its input comes over the same connection. */
async function* messagesOf(run: () => ExecResult | Promise<ExecResult>): AsyncGenerator<Uint8Array> {
  yield* messages(await run());
}

/** Longer input fails the command. */
const INPUT_BYTES_MAX = 16 * 1024 * 1024;

function inputOf(bytes: AsyncIterable<Uint8Array>): ExecInput {
  return {
    bytes,
    async text() {
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of bytes) {
        length += chunk.byteLength;
        if (length > INPUT_BYTES_MAX) throw new RangeError(`a command's input is at most ${INPUT_BYTES_MAX} bytes`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

/** The messages of a command that has ended. */
export async function* messages({ stdout = "", stderr = "", exitCode = 0 }: ExecResult): AsyncGenerator<Uint8Array> {
  if (stdout !== "") yield message(STDOUT, stdout);
  if (stderr !== "") yield message(STDERR, stderr);
  yield message(STATUS, JSON.stringify(exitStatus(exitCode)));
}

function message(channel: number, text: string): Uint8Array {
  return Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
}

function exitStatus(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
  };
}

/** A command in a container. */
interface Command {
  readonly command: readonly string[];
  readonly pod: Pod;
  readonly input: ExecInput;
}

function run(script: ContainerScript, { command, pod, input }: Command): ExecResult | Promise<ExecResult> {
  if (script.exec !== undefined) return script.exec(command, pod, input);
  const stderr = `no script answers ${JSON.stringify(command.join(" "))}; give the container's script an "exec" function\n`;
  return { stderr, exitCode: 127 };
}

function textOf({ logs = "" }: ContainerScript, pod: Pod, container: string): string {
  return typeof logs === "string" ? logs : logs(pod, container);
}

function scriptOf(pod: Pod, container: string, scripts: readonly ContainerScript[]): { script: ContainerScript } {
  const described = pod.spec?.containers.find(({ name }) => name === container) ?? { name: container };
  return behaviourOf(scripts, pod, described, false);
}

function requireRunning(pod: Pod, container: string): void {
  const status = pod.status?.containerStatuses?.find(({ name }) => name === container);
  if (status?.state?.running !== undefined) return;
  throw badRequest(`container ${container} of pod ${pod.metadata?.name} is not running`);
}
