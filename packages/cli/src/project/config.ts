/** `@kubewright/cli/config`: what kubewright.config.ts says about a project. Commands read it; the operator does not. */

/** What is said about a project. */
export interface ProjectConfig {
  /** Names the operator and everything of it in a cluster. */
  readonly name: string;
  /** Groups of the project's kinds end with it. */
  readonly domain: string;
  /** The operator's image, with its tag. */
  readonly image: string;
  /** Where the operator runs. @default name + "-system" */
  readonly namespace?: string;
  /** Whether the operator works in all namespaces, or only in its own. @default "cluster" */
  readonly scope?: OperatorScope;
  /** Replicas of the operator; one leads, the others stand by. @default 1 */
  readonly replicas?: number;
  /** Whether the installation has a ServiceMonitor, which needs the Prometheus operator. @default false */
  readonly prometheus?: boolean;
}

/** Where an operator works. */
export type OperatorScope = "cluster" | "namespaced";

/**
 * States the configuration of a project.
 * @example export default defineConfig({ name: "memcached-operator", domain: "example.com", image: "memcached-operator:v0.1.0" });
 */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
