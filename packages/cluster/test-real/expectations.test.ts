/**
 * The expectations of the embedded cluster's controllers, on the real ones: kube-controller-manager, kube-scheduler and
 * kwok. Where they fail here, the expectation is wrong; where they pass here and not there, the embedded cluster is.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Namespace, ServiceAccount } from "@kubewright/api/core/v1";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type Client, createClient, createHttpTransport, type HttpTransport } from "@kubewright/runtime";
import { type ControlPlane, startRealCluster } from "@kubewright/testing";
import { expectations } from "../test/expectations/all.ts";

const POLL_MS = 100;
const EVENTUALLY_MS_MAX = 60_000;

describe("on kube-controller-manager, kube-scheduler and kwok", { concurrency: 8 }, () => {
  let plane: ControlPlane;
  let transport: HttpTransport;
  before(async () => {
    const programs = process.env["KUBEWRIGHT_PROGRAMS"];
    assert.ok(programs, "run by npm run test:real");
    plane = await startRealCluster({ programs, nodes: 3 });
    const { url, certificateAuthority, token } = plane;
    transport = createHttpTransport({
      server: url,
      tls: async () => ({ ca: certificateAuthority }),
      headers: async () => ({ authorization: `Bearer ${token}` }),
    });
  });
  after(async () => {
    transport.close();
    await plane.stop();
  });

  for (const [index, { name, run }] of expectations.entries()) {
    test(name, async () => {
      const namespace = `expectation-${index}`;
      const client = createClient({ transport, namespace });
      await client.create(Namespace, { metadata: { name: namespace } });
      await eventually(async () => assert.ok(await hasServiceAccount(client)));
      await run({ client, namespace, eventually });
    });
  }
});

/** Pods are refused before their service account is there. */
async function hasServiceAccount(client: Client): Promise<boolean> {
  return (await client.find(ServiceAccount, "default")) !== undefined;
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const endMs = systemClock.monotonic() + EVENTUALLY_MS_MAX;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (systemClock.monotonic() > endMs) throw error;
    }
    await sleep(systemClock, POLL_MS);
  }
}
