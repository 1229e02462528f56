/**
 * Puts the same requests to two servers and compares the answers, run by run: each run has a namespace of its own and ends with
 * the first difference, because what follows would differ for that reason alone.
 */

import { isDeepStrictEqual } from "node:util";
import { getKey, type Json, type JsonObject, parseJson, stringifyJson } from "@kubewright/core/meta";
import { readBody, seededRandom, type Transport } from "@kubewright/core/ports";
import { NormalForm, normalText } from "./normal-form.ts";
import { CURRENT_VERSION, type PlannedRequest, planRequests } from "./requests.ts";

/** What one server answered. */
export interface ComparedAnswer {
  readonly status: number;
  readonly warnings: string;
  readonly body: Json;
}

/** A request that two servers answer differently, with what came before it. */
export interface FoundDifference {
  readonly seed: number;
  readonly index: number;
  readonly request: PlannedRequest;
  readonly answers: readonly ComparedAnswer[];
  readonly before: readonly PlannedRequest[];
}

/** How one run ended. */
export interface RunOutcome {
  readonly requests: number;
  readonly difference?: FoundDifference;
  /** Why its last answers may differ. */
  readonly explanation?: string;
}

/** Why two answers may differ; undefined when nothing explains it. */
export type Explain = (request: PlannedRequest, answers: readonly ComparedAnswer[]) => string | undefined;

/** One run on all servers. */
export async function compareRun(
  servers: readonly Transport[],
  { seed, count, explain }: { readonly seed: number; readonly count: number; readonly explain: Explain },
): Promise<RunOutcome> {
  const namespace = `run-${seed}`;
  const sides = servers.map((transport) => new Side(transport));
  const before: PlannedRequest[] = [];
  await Promise.all(sides.map((side) => side.makeNamespace(namespace)));
  for (const request of planRequests(seededRandom(seed), namespace, count)) {
    const answers = await Promise.all(sides.map((side) => side.ask(request)));
    const isSame = answers.every((answer) => isDeepStrictEqual(answer, answers[0]));
    if (!isSame) {
      const index = before.length;
      const explanation = explain(request, answers);
      const requests = index + 1;
      if (explanation !== undefined) return { requests, explanation };
      return { requests, difference: { seed, index, request, answers, before } };
    }
    before.push(request);
  }
  return { requests: count };
}

/** One server, as one run sees it. */
class Side {
  readonly #transport: Transport;
  readonly #normalForm = new NormalForm();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async makeNamespace(name: string): Promise<void> {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    const headers = { "content-type": "application/json" };
    const { status, text } = await this.#send({ method: "POST", path: "/api/v1/namespaces", headers, body });
    if (status !== 201) throw new Error(`no namespace ${name}: ${text}`);
  }

  async ask(request: PlannedRequest): Promise<ComparedAnswer> {
    const { status, warnings, text } = await this.#send(await this.#withVersion(request));
    return { status, warnings: normalText(warnings), body: this.#normalForm.of(parsed(text)) };
  }

  async #withVersion(request: PlannedRequest): Promise<PlannedRequest> {
    const { versionOf, body } = request;
    const metadata = getKey((body ?? {}) as JsonObject, "metadata") as JsonObject | undefined;
    if (versionOf === undefined || metadata?.["resourceVersion"] !== CURRENT_VERSION) return request;
    const { text } = await this.#send({ method: "GET", path: versionOf, headers: {} });
    const stored = getKey(parsed(text) as JsonObject, "metadata") as JsonObject | undefined;
    const resourceVersion = stored?.["resourceVersion"] ?? "7";
    return { ...request, body: { ...(body as JsonObject), metadata: { ...metadata, resourceVersion } } };
  }

  async #send({ method, path, headers, body }: PlannedRequest) {
    const response = await this.#transport.send({
      method,
      path,
      headers: { "user-agent": "differential", ...headers },
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    });
    const text = Buffer.from(await readBody(response.body)).toString("utf8");
    return { status: response.status, warnings: response.headers["warning"] ?? "", text };
  }
}

function parsed(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
