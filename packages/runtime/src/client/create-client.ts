/**
 * Makes a client on a transport: each operation becomes one request (path, query, headers, body), goes through the
 * gate and the transport, and its answer is decoded. What was written is told to `onWritten`, which is how caches
 * learn of own writes before the watch brings them.
 */
import type { KubernetesList, KubernetesObject } from "@kubewright/core/meta";
import { apiVersionOf } from "@kubewright/core/meta";
import { isConflict, isNotFound, PATCH_MEDIA_TYPES } from "@kubewright/core/protocol";
import type { Client, ClientSettings } from "./client.ts";
import type { AnyDefinition } from "./definitions.ts";
import { deleteBody, deleteOne, dryRunOf } from "./delete.ts";
import { eachObject } from "./each.ts";
import type { PathParts, Query, RequestParts } from "./encode-request.ts";
import type { SelectOptions, WatchOptions } from "./options.ts";
import { contentOfPatch } from "./patch.ts";
import { type ClientOptions, Requester } from "./requester.ts";
import { fieldSelectorText, labelSelectorText } from "./selectors.ts";
import { createSubresourceClient } from "./subresource.ts";
import { targetParts } from "./target.ts";
import { followEvents, watchEvents } from "./watch.ts";

/** How often `modify` starts anew before it gives the conflict to its caller; each conflict means that another writer got on. */
const MODIFY_ATTEMPTS_MAX = 50;

/**
 * A client of one API server.
 * @example const client = createClient({ transport: server.transport });
 *          await client.get(Deployment, "web");
 */
export function createClient(options: ClientOptions): Client {
  const requester = new Requester(options);
  return {
    inProcess: options.transport.inProcess === true,
    get: (what, target, get = {}) =>
      requester.call(what, "GET", targetParts(what, target, options), {
        query: { resourceVersion: get.resourceVersion },
        signal: get.signal,
      }) as Promise<never>,
    async find(what, target, get) {
      try {
        return await this.get(what, target, get);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async list(what, list = {}) {
      const page = (await requester.call(what, "GET", collectionOf(what, list, options), {
        query: {
          ...selectQuery(list),
          limit: list.limit,
          continue: list.continue,
          resourceVersion: list.resourceVersion,
          resourceVersionMatch: list.resourceVersionMatch,
        },
        signal: list.signal,
      })) as KubernetesList<never>;
      // Lists of metadata alone have null for no items.
      return page.items === null ? { ...page, items: [] } : page;
    },
    each(what, each) {
      return eachObject(this, what, each ?? {});
    },
    watch: (what, watch = {}) =>
      watchEvents(() => requester.stream(what, collectionOf(what, watch, options), watchParts(watch)), watch),
    follow: (what, watch, take) =>
      followEvents(() => requester.stream(what, collectionOf(what, watch, options), watchParts(watch)), watch, take),
    create(what, object, create = {}) {
      const body = withKind(what, object as KubernetesObject);
      const namespace = create.namespace ?? body.metadata?.namespace;
      const line = { what, method: "POST", parts: collectionOf(what, { namespace }, options) };
      return requester.write(line, create, { body }) as Promise<never>;
    },
    update(what, object, update = {}) {
      if (object.metadata?.resourceVersion === undefined && update.unconditional !== true) {
        throw new TypeError(unversionedUpdate(what, object));
      }
      const parts = { ...targetParts(what, object, options), subresource: update.subresource };
      const body = withKind(what, object);
      return requester.write({ what, method: "PUT", parts }, update, { body }) as Promise<never>;
    },
    patch(what, target, patch, update = {}) {
      const parts = { ...targetParts(what, target, options), subresource: update.subresource };
      return requester.write({ what, method: "PATCH", parts }, update, contentOfPatch(patch)) as Promise<never>;
    },
    async modify(what, target, change, update = {}) {
      for (let attempt = 1; ; attempt += 1) {
        const current = await this.get(what, target, update);
        const changed = change(current);
        if (changed === current) return current;
        try {
          return await this.update(what, changed, update);
        } catch (error) {
          if (!isConflict(error) || attempt >= MODIFY_ATTEMPTS_MAX) throw error;
        }
      }
    },
    apply(what, object, apply = {}) {
      const parts = { ...targetParts(what, object.metadata, options), subresource: apply.subresource };
      const body = withoutManagers(withKind(what, object as KubernetesObject));
      const content = { body, contentType: PATCH_MEDIA_TYPES.apply, force: apply.force };
      return requester.write({ what, method: "PATCH", parts }, apply, content) as Promise<never>;
    },
    delete: (what, target, remove = {}) => deleteOne(requester, what, { target, remove, settings: options }),
    async deleteCollection(what, remove = {}) {
      await requester.call(what, "DELETE", collectionOf(what, remove, options), {
        query: { ...selectQuery(remove), dryRun: dryRunOf(remove.dryRun ?? options.dryRun) },
        body: deleteBody(remove),
        signal: remove.signal,
      });
    },
    subresource: (what, name) => createSubresourceClient(requester, what, name, options),
    request: (request) => requester.raw(request),
    with: (settings) => createClient({ ...options, ...settings }),
  };
}

/** The server refuses managedFields in what is applied, and whoever applies what it read means the rest. */
function withoutManagers(object: KubernetesObject): KubernetesObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function collectionOf(what: AnyDefinition, select: SelectOptions, settings: ClientSettings): PathParts {
  if (what.scope === "Cluster" || select.allNamespaces === true) return {};
  return { namespace: select.namespace ?? settings.namespace ?? "default" };
}

function selectQuery(select: SelectOptions): Query {
  return {
    labelSelector: labelSelectorText(select.labelSelector),
    fieldSelector: fieldSelectorText(select.fieldSelector),
  };
}

function watchParts(watch: WatchOptions): RequestParts {
  const query = {
    watch: true,
    ...selectQuery(watch),
    resourceVersion: watch.resourceVersion,
    resourceVersionMatch: watch.resourceVersionMatch,
    allowWatchBookmarks: watch.allowBookmarks,
    sendInitialEvents: watch.sendInitialEvents,
    timeoutSeconds: watch.timeoutSeconds,
  };
  return { query, signal: watch.signal, takesValues: watch.dropsManagedFields === true ? "lean" : true };
}

/** The object with apiVersion and kind, which callers may leave out. */
function withKind(what: AnyDefinition, object: KubernetesObject): KubernetesObject {
  if (object.apiVersion !== undefined && object.kind !== undefined) return object;
  return { ...object, apiVersion: object.apiVersion ?? apiVersionOf(what), kind: object.kind ?? what.kind };
}

function unversionedUpdate(what: AnyDefinition, object: KubernetesObject): string {
  return (
    `update of ${what.kind} ${JSON.stringify(object.metadata?.name)} without metadata.resourceVersion would overwrite ` +
    "changes of others; read it first, use modify or apply, or pass unconditional: true"
  );
}
