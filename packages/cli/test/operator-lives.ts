/**
 * What the sample of each operator lives through in tests: the changes users make to its spec, one after the other, what is
 * wrong enough to be refused, and what shows as degraded. Read by operators.test.ts.
 */
import type { JsonObject } from "@kubewright/core/meta";

/** One operator's life. */
export interface OperatorLife {
  /** Merged into the spec, one after the other. */
  readonly updates: readonly JsonObject[];
  /** A change that the API refuses, and what it says. */
  readonly invalid: { readonly spec: JsonObject; readonly message: RegExp };
  /** A change after which the operator cannot do its work, and what the condition Degraded says. */
  readonly failing: { readonly spec: JsonObject; readonly message: RegExp };
  /** What heals it, beside the spec of the sample. @default nothing */
  readonly healing?: JsonObject;
  /** The event that tells of the work. */
  readonly event: string;
}

/** An image that simulated nodes cannot pull. */
export const UNPULLABLE = "registry.invalid/missing:1";

const STUCK = /has timed out progressing/;

/** The life of each operator's sample, by its folder. */
export const LIVES: Readonly<Record<string, OperatorLife>> = {
  app: {
    updates: [{ deployment: { replicas: 3, image: "nginx:1.28" } }],
    invalid: {
      spec: { deployment: { image: "" } },
      message: /spec\.deployment\.image: Invalid value: "": .*at least 1/,
    },
    failing: { spec: { deployment: { image: UNPULLABLE } }, message: STUCK },
    event: "Normal Synced: App synced successfully",
  },
  application: {
    updates: [{ replicas: 2, host: "shop.example.com", env: [{ name: "MODE", value: "fast" }] }],
    invalid: { spec: { port: 70000 }, message: /spec\.port: Invalid value: 70000: .*less than or equal to 65535/ },
    failing: { spec: { image: UNPULLABLE }, message: STUCK },
    event: "Normal Synced: Application synced successfully",
  },
  appservice: {
    updates: [{ size: 1, ports: [{ port: 80 }, { port: 443, targetPort: 8443 }] }],
    invalid: { spec: { ports: [] }, message: /spec\.ports: Invalid value: 0: .*at least 1 items/ },
    failing: { spec: { image: UNPULLABLE }, message: STUCK },
    event: "Normal Synced: AppService synced successfully",
  },
  memcached: {
    updates: [{ size: 2, port: 11212 }],
    invalid: { spec: { size: -1 }, message: /spec\.size: Invalid value: -1: .*greater than or equal to 0/ },
    failing: { spec: { image: UNPULLABLE }, message: STUCK },
    healing: { image: "memcached:1.6-alpine" },
    event: "Normal Synced: Memcached synced successfully",
  },
  microservice: {
    updates: [{ config: "GREETING=good day", needAuth: false }, { idle: true }, { idle: false }],
    invalid: { spec: { msName: "No Name" }, message: /spec\.msName: Invalid value: "No Name": .*should match/ },
    failing: { spec: { image: UNPULLABLE }, message: STUCK },
    event: "Normal Synced: MicroServiceDeploy synced successfully",
  },
  nodeport: {
    updates: [{ nodePortNumber: 30090, image: "nginx:1.28" }],
    invalid: { spec: { nodePortNumber: 80 }, message: /spec\.nodePortNumber: Invalid value: 80: .*equal to 30000/ },
    failing: { spec: { image: UNPULLABLE }, message: STUCK },
    event: "Normal Synced: NodePortApp synced successfully",
  },
  "scheduled-scaler": {
    updates: [{ jobs: [{ name: "every-minute", schedule: "*/1 * * * *", size: 2 }], startingDeadlineSeconds: 120 }],
    invalid: {
      spec: { jobs: [{ name: "bad", schedule: "every minute", size: 1 }] },
      message: /spec\.jobs\[0\]\.schedule: Invalid value: .*must be a cron schedule: minute \(0-59\)/,
    },
    failing: { spec: { scaleTarget: { name: "missing" } }, message: /deployments\.apps "missing" not found/ },
    event: 'Normal Scaled: job "every-minute": nginx-deployment has 3 replicas',
  },
};
