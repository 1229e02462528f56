/** The subresources that need more than the common endpoints, by verb and resource. */
import type { Endpoint, SpecialEndpoints } from "../endpoints/call.ts";
import { handleGet } from "../endpoints/get.ts";
import { handlePatch } from "../endpoints/patch.ts";
import { handleUpdate } from "../endpoints/update.ts";
import { admittingConnections } from "./admit-request.ts";
import { handleBinding } from "./binding.ts";
import { handleEviction } from "./eviction.ts";
import { podConnectEndpoint } from "./pod-connect.ts";
import type { PodHooks } from "./pod-hooks.ts";
import { podLogEndpoint } from "./pod-log.ts";
import { portForwardEndpoint } from "./port-forward.ts";
import { proxyEndpoint } from "./proxy.ts";
import { scaleEndpoints } from "./scale.ts";

/** Served as the object itself, of which a strategy lets only a part change. */
const PARTS = [
  "certificatesigningrequests.certificates.k8s.io/approval",
  "namespaces/finalize",
  "pods/ephemeralcontainers",
  "pods/resize",
];

const CONNECTIONS = ["attach", "exec"] as const;
const PROXIES = ["pods", "services"] as const;
const PROXY_VERBS = ["get", "create", "update", "patch", "delete"];

/** All of them; `hooks` are those of whoever runs pods. */
export function subresourceEndpoints(hooks: PodHooks): SpecialEndpoints {
  return new Map<string, Endpoint>([
    ...COMMON,
    ["get pods/log", podLogEndpoint(hooks)],
    ...connections("pods/portforward", portForwardEndpoint(hooks)),
    ...CONNECTIONS.flatMap((kind) => connections(`pods/${kind}`, podConnectEndpoint(kind, hooks))),
    ...PROXIES.flatMap((kind) => {
      const endpoint = admittingConnections(proxyEndpoint(kind, hooks));
      return PROXY_VERBS.map((verb) => [`${verb} ${kind}/proxy`, endpoint] as const);
    }),
  ]);
}

function connections(name: string, endpoint: Endpoint): readonly (readonly [string, Endpoint])[] {
  return ["get", "create"].map((verb) => [`${verb} ${name}`, admittingConnections(endpoint)]);
}

const COMMON: readonly (readonly [string, Endpoint])[] = [
  ["create bindings", handleBinding],
  ["create pods/binding", handleBinding],
  ["create pods/eviction", handleEviction],
  ...PARTS.flatMap((name) => [
    [`get ${name}`, handleGet] as const,
    [`update ${name}`, handleUpdate] as const,
    [`patch ${name}`, handlePatch] as const,
  ]),
  ...scaleEndpoints,
];
