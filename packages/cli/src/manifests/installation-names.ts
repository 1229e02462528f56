/** The names that an operator's objects have in a cluster, and their labels. All begin with the project's name. */
import type { LoadedConfig } from "../project/load-config.ts";

/** Where the operator tells what it did, on loopback of its pod. */
export const DEBUG_PORT = 8082;

/** Names of what is installed. */
export interface InstallationNames {
  readonly namespace: string;
  /** The Deployment, and its service account. */
  readonly manager: string;
  readonly metricsService: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Labels that only the operator's pods have. */
  readonly podLabels: Readonly<Record<string, string>>;
}

/** The names for a project. */
export function installationNames({ name, namespace }: LoadedConfig): InstallationNames {
  const labels = { "app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "kubewright" };
  return {
    namespace,
    manager: `${name}-controller-manager`,
    metricsService: `${name}-metrics`,
    labels,
    podLabels: { "app.kubernetes.io/name": name, "control-plane": "controller-manager" },
  };
}
