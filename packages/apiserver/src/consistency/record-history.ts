/**
 * Clients that read and write a few objects at the same time, and watchers that come and go, on any server with the Kubernetes
 * API: what they did and saw is a history for check-history.ts. Who does what next is drawn from a seeded source.
 */
import type { Random, Transport } from "@kubewright/core/ports";
import { decodeWatchEvents } from "@kubewright/core/protocol";
import { type Answer, type ContractApi, createContractApi } from "../contract/api.ts";
import type { Change, History, Operation, Outcome, Watched } from "./history.ts";

/** What a run consists of. */
export interface RunOptions {
  /** One transport per client. */
  readonly clients: readonly Transport[];
  /** One transport per watcher. */
  readonly watchers: readonly Transport[];
  /** For what must not fail: the first read, the last write and the log of changes. */
  readonly observer: Transport;
  readonly namespace: string;
  readonly operationsEach: number;
  readonly random: Random;
}

const KEYS = ["a", "b", "c"] as const;
const LAST = "last";

/** Runs the clients and watchers; resolves with all that happened. */
export async function recordHistory(options: RunOptions): Promise<History> {
  const { clients, watchers, observer, namespace, random } = options;
  const api = createContractApi(observer, namespace);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const { body } = await api.get(path);
  const after = Number(body.metadata.resourceVersion);
  const log = logChanges(observer, path, after);
  const watching = watchers.map((transport) => watchResuming(transport, path, { after, random }));
  const recorder = new Recorder(path, random);
  await Promise.all(clients.map((transport, client) => recorder.run(client, transport, options)));
  await api.post(path, object(LAST, "end"));
  const [changes, watches] = await Promise.all([log, Promise.all(watching)]);
  return { changes, operations: recorder.operations, watches };
}

function pick<Choice>(random: Random, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[Math.floor(random.next() * choices.length)] ?? choices[0];
}

function object(name: string, value: string, resourceVersion?: string): object {
  return { metadata: { name, ...(resourceVersion === undefined ? {} : { resourceVersion }) }, data: { value } };
}

/** Sends the requests of all clients and keeps what became of each. */
class Recorder {
  readonly operations: Operation[] = [];
  readonly #path: string;
  readonly #random: Random;
  #time = 0;
  #values = 0;

  constructor(path: string, random: Random) {
    this.#path = path;
    this.#random = random;
  }

  async run(client: number, transport: Transport, { namespace, operationsEach }: RunOptions): Promise<void> {
    const api = createContractApi(transport, namespace);
    const known = new Map<string, number>();
    for (let count = 0; count < operationsEach; count++) {
      const key = pick(this.#random, KEYS);
      const invoked = ++this.#time;
      const outcome = await this.#attempt(api, key, known).catch((): Outcome => ({ type: "unknown" }));
      const returned = outcome.type === "unknown" ? Number.POSITIVE_INFINITY : ++this.#time;
      this.operations.push({ client, key: outcome.type === "listed" ? "" : key, invoked, returned, outcome });
      if ("revision" in outcome && outcome.type !== "listed") known.set(key, outcome.revision);
    }
  }

  #attempt(api: ContractApi, key: string, known: ReadonlyMap<string, number>): Promise<Outcome> {
    const expected = known.get(key);
    const value = `v${++this.#values}`;
    switch (pick(this.#random, ["get", "list", "create", "replace", "replace", "overwrite", "delete"])) {
      case "get":
        return this.#get(api, key);
      case "list":
        return this.#list(api);
      case "create":
        return this.#create(api, key, value);
      case "replace":
        return expected === undefined ? this.#get(api, key) : this.#replace(api, key, { value, expected });
      case "overwrite":
        return this.#replace(api, key, { value });
      default:
        return this.#delete(api, key);
    }
  }

  async #get(api: ContractApi, key: string): Promise<Outcome> {
    const answer = await api.get(`${this.#path}/${key}`);
    return answer.status === 404 ? { type: "absent" } : { type: "read", ...stateOf(answer, 200) };
  }

  async #list(api: ContractApi): Promise<Outcome> {
    const { body } = await api.get(this.#path);
    const items = body.items as readonly {
      readonly metadata: { readonly name: string; readonly resourceVersion: string };
    }[];
    const revisions = new Map(items.map(({ metadata }) => [metadata.name, Number(metadata.resourceVersion)]));
    return { type: "listed", revision: Number(body.metadata.resourceVersion), revisions };
  }

  async #create(api: ContractApi, key: string, value: string): Promise<Outcome> {
    const answer = await api.post(this.#path, object(key, value));
    return answer.status === 409 ? { type: "exists" } : { type: "created", ...stateOf(answer, 201) };
  }

  async #replace(
    api: ContractApi,
    key: string,
    { value, expected }: { readonly value: string; readonly expected?: number },
  ): Promise<Outcome> {
    const version = expected === undefined ? undefined : String(expected);
    const answer = await api.put(`${this.#path}/${key}`, object(key, value, version));
    if (answer.status === 404) return { type: "absent" };
    if (answer.status === 409 && expected !== undefined) return { type: "conflict", expected };
    return { type: "replaced", ...stateOf(answer, 200), ...(expected === undefined ? {} : { expected }) };
  }

  async #delete(api: ContractApi, key: string): Promise<Outcome> {
    const { status, body } = await api.delete(`${this.#path}/${key}`);
    return status === 404 ? { type: "absent" } : { type: "deleted", uid: body.details.uid };
  }
}

function stateOf(
  { status, body, text }: Answer,
  wanted: number,
): { readonly revision: number; readonly value: string } {
  if (status !== wanted) throw new Error(`unexpected answer ${status}: ${text}`);
  return { revision: Number(body.metadata.resourceVersion), value: body.data.value };
}

interface SeenEvent {
  readonly type: string;
  readonly name: string;
  readonly change: Change;
}

/** The events of one connection, until it ends. */
async function* eventsOf(transport: Transport, path: string, after: number): AsyncGenerator<SeenEvent> {
  const query = `?watch=true&allowWatchBookmarks=true&resourceVersion=${after}`;
  const { body } = await transport.send({ method: "GET", path: path + query });
  for await (const { type, object } of decodeWatchEvents(body)) {
    // biome-ignore lint/suspicious/noExplicitAny: ConfigMaps that this run wrote, or bookmarks.
    const { metadata, data } = object as any;
    const revision = Number(metadata.resourceVersion);
    const kind = type === "DELETED" ? "delete" : "put";
    yield {
      type,
      name: metadata.name,
      change: { revision, key: metadata.name, type: kind, value: data?.value, uid: metadata.uid },
    };
  }
}

/** All changes up to the last one, from one watch. */
async function logChanges(transport: Transport, path: string, after: number): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for await (const { type, name, change } of eventsOf(transport, path, after)) {
    if (type === "BOOKMARK") continue;
    changes.push(change);
    if (name === LAST) break;
  }
  return changes;
}

const EVENTS_PER_CONNECTION_MAX = 20;

/** Follows changes over many connections, each going on where the one before ended. */
async function watchResuming(
  transport: Transport,
  path: string,
  { after, random }: { readonly after: number; readonly random: Random },
): Promise<Watched> {
  const revisions: number[] = [];
  let seen = after;
  for (;;) {
    let left = 1 + Math.floor(random.next() * EVENTS_PER_CONNECTION_MAX);
    try {
      for await (const { type, name, change } of eventsOf(transport, path, seen)) {
        seen = change.revision;
        if (type !== "BOOKMARK") revisions.push(change.revision);
        if (name === LAST) return { after, revisions };
        if (--left === 0) break;
      }
    } catch {
      // A broken connection is one more that ended.
    }
  }
}
