/**
 * Records how kube-apiserver prints the corpus: makes its objects in a control plane built from Kubernetes' source,
 * asks for their tables and writes packages/apiserver/src/printing/testdata/tables.json. Needs Go; the tests do not.
 *
 *   node tools/table-oracle/record.ts
 */
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ControlPlane, startControlPlane } from "@kubewright/testing";
import { realPrograms } from "../real-cluster/build.ts";
import { type CorpusObject, corpus } from "./corpus.ts";

/** Where the rows are committed. */
export const OUTPUT = resolve(import.meta.dirname, "../../packages/apiserver/src/printing/testdata/tables.json");
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
/** The resource of a new CRD may take a moment to be served. */
const ATTEMPTS_MAX = 50;

/** How kube-apiserver printed one object of the corpus. */
export interface RecordedRow {
  readonly path: string;
  readonly nowMs: number;
  readonly columns: readonly (readonly unknown[])[];
  readonly cells: readonly unknown[];
  readonly conditions: readonly unknown[];
  readonly object: object;
}

/** Makes the objects of the corpus in a control plane of their own and asks for their tables. */
export async function recordTables(programs: string): Promise<readonly RecordedRow[]> {
  await using plane = await startControlPlane({ programs });
  const recorded: RecordedRow[] = [];
  for (const entry of corpus) recorded.push(await record(plane, entry));
  return recorded;
}

async function record(
  server: ControlPlane,
  { path, object, status, isDeleted = false }: CorpusObject,
): Promise<RecordedRow> {
  const name = `${path}/${object.metadata.name}`;
  await send(server, "POST", path, object);
  if (status !== undefined) await send(server, "PATCH", `${name}/status`, { status });
  if (isDeleted) await send(server, "DELETE", name);
  const table = await send(server, "GET", `${name}?includeObject=Object`, undefined, TABLE);
  const nowMs = Date.now();
  const [row] = table.rows;
  delete row.object.metadata.managedFields;
  const columns = table.columnDefinitions.map(
    ({ name: column, type, format, priority }: { name: string; type: string; format: string; priority: number }) =>
      [column, type, format, priority] as const,
  );
  return { path, nowMs, columns, cells: row.cells, conditions: row.conditions ?? [], object: row.object };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the server answers.
async function send(server: ControlPlane, method: string, path: string, body?: object, accept = "*/*"): Promise<any> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const text = body === undefined ? undefined : JSON.stringify(body);
  for (let attempt = 0; ; attempt++) {
    const answer = await exchange(server, { method, path, text, headers: { accept, "content-type": type } });
    if (answer.code < 300) return JSON.parse(answer.text);
    if (method !== "POST" || answer.code !== 404 || attempt === ATTEMPTS_MAX)
      throw new Error(`${method} ${path}: ${answer.text}`);
    await delay(200);
  }
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly text: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

function exchange(
  { url, token, certificateAuthority }: ControlPlane,
  { method, path, text, headers }: Exchange,
): Promise<{ readonly code: number; readonly text: string }> {
  const authorized = { ...headers, authorization: `Bearer ${token}` };
  return new Promise((done, fail) => {
    const sent = request(`${url}${path}`, { method, headers: authorized, ca: certificateAuthority }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => done({ code: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }));
    });
    sent.on("error", fail);
    sent.end(text);
  });
}

if (import.meta.main) {
  const rows = await recordTables(await realPrograms("control-plane", (line) => console.error(line)));
  writeFileSync(OUTPUT, `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
  console.log(`recorded ${rows.length} rows`);
}
