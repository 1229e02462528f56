/** Endpoints with a logic of their own, by verb and resource ("create pods/eviction"); all others are the common ones. */
import type { SpecialEndpoints } from "../endpoints/call.ts";
import type { PodHooks } from "../subresources/pod-hooks.ts";
import { subresourceEndpoints } from "../subresources/subresources.ts";

/** The special endpoints of every server; `pods` are the hooks of whoever runs pods. */
export function defaultSpecialEndpoints(pods: PodHooks): SpecialEndpoints {
  return new Map([...subresourceEndpoints(pods)]);
}
