/** Calls on subresources: scale, eviction, token, binding and whatever else a kind has. */
import type { KubernetesObject } from "@kubewright/core/meta";
import { PATCH_MEDIA_TYPES } from "@kubewright/core/protocol";
import type { ClientSettings, SubresourceClient } from "./client.ts";
import type { AnyDefinition } from "./definitions.ts";
import type { PathParts } from "./encode-request.ts";
import type { ApplyOptions } from "./options.ts";
import { contentOfPatch } from "./patch.ts";
import type { Requester, WriteContent } from "./requester.ts";
import { type Target, targetParts } from "./target.ts";

/** One message is a channel's number and its bytes; standard input can be ended (KEP-4006). */
const CHANNEL_PROTOCOL = "v5.channel.k8s.io";

/** The client of subresource `name` of a kind. */
export function createSubresourceClient<Body extends object = KubernetesObject>(
  requester: Requester,
  what: AnyDefinition,
  name: string,
  settings: ClientSettings,
): SubresourceClient<Body> {
  const partsOf = (target: Target): PathParts => ({
    ...targetParts(what, target, settings),
    subresource: name,
  });
  // Subresources answer with objects of other kinds, so their answers go past the caches.
  const write = (line: { method: string; target: Target }, content: WriteContent, options: ApplyOptions = {}) => {
    const { method, target } = line;
    const unobserved = { ...content, force: options.force, unobserved: true };
    return requester.write({ what, method, parts: partsOf(target) }, options, unobserved) as Promise<Body>;
  };
  return {
    get: (target, options = {}) =>
      requester.call(what, "GET", partsOf(target), {
        query: { resourceVersion: options.resourceVersion },
        signal: options.signal,
      }) as Promise<Body>,
    create: (target, body, options) => write({ method: "POST", target }, { body }, options),
    update: (target, body, options) => write({ method: "PUT", target }, { body }, options),
    patch: (target, patch, options) => write({ method: "PATCH", target }, contentOfPatch(patch), options),
    apply: (target, body, options) =>
      write({ method: "PATCH", target }, { body, contentType: PATCH_MEDIA_TYPES.apply }, options),
    async stream(target, options = {}) {
      const headers = { accept: "*/*" };
      return (await requester.open(what, partsOf(target), { ...options, headers, mutating: false })).body;
    },
    async connect(target, options = {}) {
      const headers = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-protocol": CHANNEL_PROTOCOL };
      const opened = await requester.open(what, partsOf(target), { ...options, headers, mutating: true });
      return { messages: opened.body, send: opened.reply };
    },
  };
}
