/**
 * `kubectl exec` and `attach` into simulated containers: the script's answer as messages of the remote command protocol
 * (v4 and v5.channel.k8s.io): each message is one channel number and its bytes, and the last one is the exit status.
 */
import type { Pod } from "@kubewright/api/core/v1";
import type { PodConnectRequest, PodHooks } from "@kubewright/apiserver";
import { badRequest } from "@kubewright/core/protocol";
import { behaviourOf, type ContainerScript, type ExecResult } from "./script.ts";

const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;

/** The answer of the API server to a wish for a connection. */
type Answer = Awaited<ReturnType<NonNullable<PodHooks["connect"]>>>;

/** Answers a connection into a container from its script. */
export async function connect(request: PodConnectRequest, scripts: readonly ContainerScript[]): Promise<Answer> {
  const { kind, pod, container, call } = request;
  if (call.request.headers["upgrade"] === undefined) throw badRequest("Upgrade request required");
  requireRunning(pod, container);
  const { script } = scriptOf(pod, container, scripts);
  const command = call.info.query.getAll("command");
  const result = kind === "exec" ? run(script, command, pod) : { stdout: textOf(script, pod, container) };
  return { status: 200, headers: {}, body: messages(result) };
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

function run(script: ContainerScript, command: readonly string[], pod: Pod): ExecResult {
  if (script.exec !== undefined) return script.exec(command, pod);
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
