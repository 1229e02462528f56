/** A connection to the cluster of a kubeconfig, for commands; failures say what to do in the words of the command line. */
import type { Transport } from "@kubewright/core/ports";
import { isForbidden, isUnauthorized } from "@kubewright/core/protocol";
import { systemProcess } from "@kubewright/node";
import {
  type Client,
  type ClientSettings,
  createClient,
  createHttpTransport,
  findConnection,
  isUnreachable,
} from "@kubewright/runtime";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { type CommandInput, switchFlag, textFlag } from "../command/command-spec.ts";

/** A cluster that a command talks to. */
export interface ClusterConnection {
  readonly client: Client;
  /** What the client sends through, and whom it speaks for, for programs that make clients of their own. */
  readonly transport: Transport;
  readonly settings: ClientSettings;
  readonly server: string;
  /** The namespace of the context. */
  readonly namespace: string;
}

/** Connects, works, and disconnects. */
export async function withCluster<Result>(
  input: CommandInput,
  context: CommandContext,
  work: (cluster: ClusterConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await findConnection({
    kubeconfig: textFlag(input, "kubeconfig"),
    context: textFlag(input, "context"),
    env: context.env,
    files: context.files,
    clock: context.clock,
    runProgram: switchFlag(input, "allowExecCredentials") ? systemProcess.runProgram : undefined,
    stdinIsTerminal: systemProcess.stdinIsTerminal,
  }).catch((error: Error) => {
    throw new CommandError(error.message, { remedy: "without a cluster, an embedded one will do: kubewright dev" });
  });
  for (const warning of connection.warnings) context.note(`warning: ${warning}`);
  using transport = createHttpTransport({ ...connection, userAgent: "kubewright-cli" });
  const { server, namespace, impersonate } = connection;
  const settings = impersonate === undefined ? {} : { impersonate };
  const client = createClient({
    transport,
    namespace,
    fieldManager: "kubewright",
    ...settings,
    onWarning: (text) => context.note(`warning: ${text}`),
  });
  try {
    return await work({ client, transport, settings, server, namespace });
  } catch (error) {
    throw explained(error, server);
  }
}

/** Fails where no cluster answers, for a command that would otherwise wait in silence. Who may not ask has been answered. */
export async function expectCluster(input: CommandInput, context: CommandContext): Promise<void> {
  await withCluster(input, context, async ({ client }) => {
    await client.request({ path: "/version", signal: context.signal }).catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
    });
  });
}

function explained(error: unknown, server: string): unknown {
  if (isUnreachable(error)) {
    return new CommandError(`the cluster at ${server} does not answer: ${error.message}`, {
      remedy: "look at the kubeconfig's context and whether the cluster runs: kubectl cluster-info",
      cause: error,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isUnauthorized(error)) {
    return new CommandError(`the cluster at ${server} does not know who you are: ${message}`, {
      remedy: "the credentials in the kubeconfig are wrong or have expired; log in again",
      cause: error,
    });
  }
  if (isForbidden(error)) {
    return new CommandError(message, {
      remedy: "you lack the right to do it; ask whoever runs the cluster, or choose another --context",
      cause: error,
    });
  }
  return error;
}
