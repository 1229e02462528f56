/**
 * The webhooks that are configured, kept as configurations are stored: sorted by the configuration's name, then as
 * listed. The two webhook plugins read it with each request.
 */
import { isJsonArray, type JsonObject } from "@kubewright/core/meta";
import { type ApiObject, decodeObject } from "../../resource/object.ts";
import type { Storage } from "../../storage/storage.ts";
import type { WebhookTarget } from "../../webhook/caller.ts";
import type { MatchCondition } from "../expressions.ts";
import type { MatchCriteria } from "../match-resources.ts";

/** A webhook of a configuration. */
export interface Webhook extends MatchCriteria {
  /** Tells webhooks of different configurations apart. */
  readonly id: string;
  readonly name: string;
  readonly clientConfig: WebhookTarget;
  readonly failurePolicy?: string;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
}

/** A list that follows what is stored. */
export interface Followed<Item> {
  current(): readonly Item[];
  close(): void;
}

/** Follows the objects of a resource, turned into items; read again after the first request that follows a change. */
export function followItems<Item>(
  storage: Storage,
  resource: string,
  toItems: (object: ApiObject) => readonly Item[],
): Followed<Item> {
  let items: readonly Item[] | undefined;
  const watch = storage.watch(resource, storage.revision, () => {
    items = undefined;
  });
  return {
    current: () => {
      items ??= (storage.list(resource, {})?.entries ?? []).flatMap(({ text }) => toItems(decodeObject(text)));
      return items;
    },
    close: () => watch?.cancel(),
  };
}

/** The webhooks of all configurations of one kind. */
export function followWebhooks(storage: Storage, plural: string): Followed<Webhook> {
  return followItems(storage, `${plural}.admissionregistration.k8s.io`, toWebhooks);
}

function toWebhooks({ metadata, webhooks }: ApiObject): readonly Webhook[] {
  if (!isJsonArray(webhooks)) return [];
  return webhooks.map((webhook, index) => {
    const item = webhook as JsonObject;
    return { rules: [], ...item, id: `${metadata.name}/${index}` } as unknown as Webhook;
  });
}
