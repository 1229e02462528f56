/**
 * The contract suite on kube-apiserver: what the embedded server promises is what Kubernetes does. On a control plane of
 * its own: cases leave kinds, policies and webhooks behind.
 */
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { readBody, sleep, type Transport } from "@kubewright/core/ports";
import { systemClock, systemFiles } from "@kubewright/node";
import { createHttpTransport, findConnection, type HttpTransport } from "@kubewright/runtime";
import { type ControlPlane, startControlPlane } from "@kubewright/testing";
import { createContractApi } from "../src/contract/api.ts";
import type { ContractCase } from "../src/contract/case.ts";
import { contractCases } from "../src/contract/suite.ts";
import { environment } from "./targets.ts";

const CASE_MS_MAX = 60_000;
const RETRY_MS = 100;

describe("on kube-apiserver", () => {
  let plane: ControlPlane;
  let transport: HttpTransport;
  before(async () => {
    plane = await startControlPlane({ programs: environment("KUBEWRIGHT_PROGRAMS") });
    const { kubeconfig } = plane;
    const connection = await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock });
    transport = createHttpTransport(connection);
  });
  after(async () => {
    transport.close();
    await plane.stop();
  });
  const testCase = (each: ContractCase): void => {
    test(each.name, { timeout: CASE_MS_MAX }, async () => {
      const namespace = `case-${contractCases.indexOf(each)}`;
      const api = createContractApi(onceInitialized(transport), namespace);
      await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
      await each.run(api);
    });
  };
  describe("8 at once", { concurrency: 8 }, () => {
    for (const each of contractCases) if (each.isAlone !== true) testCase(each);
  });
  describe("one after the other", () => {
    for (const each of contractCases) if (each.isAlone === true) testCase(each);
  });
});

/** kube-apiserver turns requests for a kind away whose cache it has not filled yet, and asks to come again. */
function onceInitialized(transport: Transport): Transport {
  return {
    async send(request) {
      for (;;) {
        const response = await transport.send(request);
        if (response.status !== 429) return response;
        const body = await readBody(response.body);
        if (!Buffer.from(body).includes("storage is (re)initializing"))
          return { ...response, body: Readable.from([body]) };
        await sleep(systemClock, RETRY_MS, request.signal);
      }
    },
  };
}
