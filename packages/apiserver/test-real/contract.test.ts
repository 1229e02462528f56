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
import { contractCases } from "../src/contract/suite.ts";
import { environment } from "./targets.ts";

const CASE_MS_MAX = 60_000;
const RETRY_MS = 100;

describe("on kube-apiserver", { concurrency: 8 }, () => {
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
  for (const [index, { name, run }] of contractCases.entries()) {
    test(name, { timeout: CASE_MS_MAX }, async () => {
      const namespace = `case-${index}`;
      const api = createContractApi(onceInitialized(transport), namespace);
      await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
      await run(api);
    });
  }
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
