/**
 * Fills etcd with copies of one object, below the API server: 100 000 objects in seconds instead of minutes. The copies are what the API
 * server itself stored for the template, whatever their encoding, with other names and UIDs of the same length in the same
 * places. So they are exactly what the operator under test left behind, field managers included.
 */

/** etcd takes this many operations in one transaction. */
const OPERATIONS_MAX = 128;

/** Transactions under way at once. */
const TRANSACTIONS_MAX = 4;

/** Text to be replaced by other text of the same length. */
export type Replacement = readonly [from: string, to: string];

/** Reads what is stored under `key`. */
export async function readStored(etcdUrl: string, key: string): Promise<Buffer> {
  const answer = (await post(etcdUrl, "range", { key: base64(key) })) as { kvs?: readonly { value: string }[] };
  const value = answer.kvs?.[0]?.value;
  if (value === undefined) throw new Error(`etcd has nothing under ${key}`);
  return Buffer.from(value, "base64");
}

/** Stores all entries. */
export async function writeStored(
  etcdUrl: string,
  entries: Iterable<readonly [key: string, value: Buffer]>,
): Promise<void> {
  const transactions = batches(entries, OPERATIONS_MAX);
  const work = async (): Promise<void> => {
    for (const batch of transactions) {
      const success = batch.map(([key, value]) => ({
        requestPut: { key: base64(key), value: value.toString("base64") },
      }));
      await post(etcdUrl, "txn", { success });
    }
  };
  await Promise.all(Array.from({ length: TRANSACTIONS_MAX }, work));
}

/** The bytes with each text replaced wherever it stands. Lengths must not change: protobuf writes them in front. */
export function replaceBytes(bytes: Buffer, replacements: readonly Replacement[]): Buffer {
  let text = bytes.toString("latin1");
  for (const [from, to] of replacements) {
    if (from.length !== to.length) throw new Error(`${to} is not as long as ${from}`);
    text = text.replaceAll(from, to);
  }
  return Buffer.from(text, "latin1");
}

function* batches<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function post(etcdUrl: string, operation: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${etcdUrl}/v3/kv/${operation}`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd ${operation}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
