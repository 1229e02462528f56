/** The subresources that need more than the common endpoints, by verb and resource. */
import type { Endpoint, SpecialEndpoints } from "../endpoints/call.ts";
import { handleGet } from "../endpoints/get.ts";
import { handlePatch } from "../endpoints/patch.ts";
import { handleUpdate } from "../endpoints/update.ts";
import { handleBinding } from "./binding.ts";
import { handleEviction } from "./eviction.ts";
import { scaleEndpoints } from "./scale.ts";

/** Served as the object itself, of which a strategy lets only a part change. */
const PARTS = [
  "certificatesigningrequests.certificates.k8s.io/approval",
  "namespaces/finalize",
  "pods/ephemeralcontainers",
  "pods/resize",
];

/** All of them. */
export const subresourceEndpoints: SpecialEndpoints = new Map<string, Endpoint>([
  ["create bindings", handleBinding],
  ["create pods/binding", handleBinding],
  ["create pods/eviction", handleEviction],
  ...PARTS.flatMap((name) => [
    [`get ${name}`, handleGet] as const,
    [`update ${name}`, handleUpdate] as const,
    [`patch ${name}`, handlePatch] as const,
  ]),
  ...scaleEndpoints,
]);
