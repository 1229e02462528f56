/**
 * A row of docs/differences.md that shows at the API, and what shows it: on the embedded cluster (../differences.test.ts)
 * and, where Kubernetes runs, on that (../../test-real/differences.test.ts). A row that no longer holds fails on either side.
 */
import { readBody } from "@kubewright/core/ports";
import type { TestCluster } from "@kubewright/testing";

/** One row. */
export interface Difference {
  /** Its first cell. */
  readonly what: string;
  /** Fails unless the embedded cluster is as the row says. */
  embedded(cluster: TestCluster): Promise<void>;
  /** Fails unless Kubernetes is. Absent where only pods that really run could show it. */
  kubernetes?(cluster: TestCluster): Promise<void>;
}

/** An answer to a plain request. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends a request as it is. */
export async function send(
  { transport }: TestCluster,
  method: string,
  path: string,
  { body, headers = {} }: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<PlainAnswer> {
  const plain = { accept: "application/json", "content-type": "application/json" };
  const content = body === undefined ? {} : { body };
  const response = await transport.send({ method, path, headers: { ...plain, ...headers }, ...content });
  const text = Buffer.from(await readBody(response.body)).toString("utf8");
  return { status: response.status, headers: response.headers, text };
}
