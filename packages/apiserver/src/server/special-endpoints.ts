/** Endpoints with a logic of their own, by verb and resource ("create pods/eviction"); all others are the common ones. */
import type { SpecialEndpoints } from "../endpoints/call.ts";
import { subresourceEndpoints } from "../subresources/subresources.ts";

/** The special endpoints of every server. */
export const defaultSpecialEndpoints: SpecialEndpoints = new Map([...subresourceEndpoints]);
