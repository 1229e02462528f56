/** The flags that say which cluster a command talks to; apart from the connection, so that help loads fast. */
import type { FlagSpec } from "../command/command-spec.ts";

/** Flags that say which cluster. */
export const CLUSTER_FLAGS: readonly FlagSpec[] = [
  { flags: "--kubeconfig <path>", description: "the kubeconfig; $KUBECONFIG or ~/.kube/config when left out" },
  { flags: "--context <name>", description: "the context in it; the current one when left out" },
  { flags: "--allow-exec-credentials", description: "run the program that the kubeconfig names for credentials" },
];
