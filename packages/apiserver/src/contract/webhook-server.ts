/** A webhook for contract cases: HTTPS on loopback with a certificate of its own, answering as the case says. */
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { JsonObject } from "@kubewright/core/meta";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";

/** What the case makes of a review's request. */
// biome-ignore lint/suspicious/noExplicitAny: cases know what they sent.
export type ReviewHandler = (request: any, path: string) => JsonObject;

/** A listening webhook. */
export interface WebhookServer extends AsyncDisposable {
  readonly url: string;
  /** PEM in base64. */
  readonly caBundle: string;
  /** PEM in base64 of the certificate it serves with. */
  readonly ownCertificate: string;
  /** The requests so far. */
  // biome-ignore lint/suspicious/noExplicitAny: cases know what they sent.
  readonly requests: any[];
}

/** Starts a webhook whose responses `handler` makes; the uid is echoed. */
export async function startWebhook(handler: ReviewHandler): Promise<WebhookServer> {
  const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const pair = authority.issue({ commonName: "webhook", ipAddresses: ["127.0.0.1"], usages: ["server auth"] });
  // biome-ignore lint/suspicious/noExplicitAny: cases know what they sent.
  const requests: any[] = [];
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      requests.push(review.request);
      const answer = { ...handler(review.request, request.url ?? "/") };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...review, request: undefined, response: { uid: review.request.uid, ...answer } }));
    });
  });
  // A connection still in its handshake when the server closes would keep it open for as long as the client likes.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    ownCertificate: Buffer.from(pair.certificate).toString("base64"),
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
