/** A webhook that points whoever calls it to another path, where it allows everything. */
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import type { TestCluster } from "@kubewright/testing";
import { type PlainAnswer, send } from "./difference.ts";

const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/** The answer to the creation of a ConfigMap that such a webhook is asked about. */
export async function createPastRedirect(cluster: TestCluster): Promise<PlainAnswer> {
  const { namespace } = cluster;
  await using webhook = await startRedirecting();
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }];
  const configured = {
    name: "redirecting.example.com",
    clientConfig: { url: `${webhook.url}/from`, caBundle: webhook.caBundle },
    rules,
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    objectSelector: { matchLabels: { redirect: "yes" } },
  };
  const name = `redirect-${namespace}`;
  await send(cluster, "POST", WEBHOOKS, { body: JSON.stringify({ metadata: { name }, webhooks: [configured] }) });
  const answer = await untilAsked(cluster, webhook);
  await send(cluster, "DELETE", `${WEBHOOKS}/${name}`);
  return answer;
}

/** A server may take a moment to know of its webhooks. */
function untilAsked(cluster: TestCluster, webhook: Redirecting): Promise<PlainAnswer> {
  return cluster.eventually(async () => {
    const object = { metadata: { generateName: "past-", labels: { redirect: "yes" } } };
    const path = `/api/v1/namespaces/${cluster.namespace}/configmaps`;
    const answer = await send(cluster, "POST", path, { body: JSON.stringify(object) });
    if (webhook.asked() === 0) throw new Error("the webhook was not asked");
    return answer;
  });
}

interface Redirecting extends AsyncDisposable {
  readonly url: string;
  /** PEM in base64. */
  readonly caBundle: string;
  /** How often it was asked. */
  asked(): number;
}

async function startRedirecting(): Promise<Redirecting> {
  const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const pair = authority.issue({ commonName: "webhook", ipAddresses: ["127.0.0.1"], usages: ["server auth"] });
  let asked = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ cert: pair.certificate, key: pair.key }, async (request, response) => {
    asked += 1;
    if (request.url?.startsWith("/from") === true) {
      response.writeHead(307, { location: "/to" }).end();
      return;
    }
    const review = JSON.parse((await Array.fromAsync(request)).join(""));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...review, response: { uid: review.request.uid, allowed: true } }));
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    asked: () => asked,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
