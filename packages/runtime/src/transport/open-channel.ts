/** Opens connections: dials, learns which HTTP the server speaks, and makes the channel for it. http-transport.ts uses it. */
import { isIP } from "node:net";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import type { HttpChannel } from "./http-channel.ts";
import { createHttp1Channel } from "./http1-channel.ts";
import { createHttp2Channel } from "./http2-channel.ts";
import type { TlsSettings } from "./tls-settings.ts";

/** Connecting may take this long. */
const CONNECT_MS_MAX = 30_000;

/** HTTP/2 where the server speaks it; HTTP/1.1 elsewhere, and through proxies. */
export async function openChannel(url: URL, settings: TlsSettings, proxyUrl: string | undefined): Promise<HttpChannel> {
  const tls = tlsOptions(settings);
  if (proxyUrl !== undefined) return createHttp1Channel(url, { ...tls, proxyEnv: { HTTPS_PROXY: proxyUrl } });
  const dial = (): Promise<TLSSocket> => connectTls(url, tls);
  const first = await dial();
  if (first.alpnProtocol === "h2") return createHttp2Channel(url, first, dial);
  first.destroy();
  return createHttp1Channel(url, tls);
}

function connectTls(url: URL, tls: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const named = isIP(host) === 0 ? { servername: host } : {};
    const port = url.port === "" ? 443 : Number(url.port);
    const socket = connect({ ...named, ...tls, host, port, ALPNProtocols: ["h2", "http/1.1"] });
    socket.setNoDelay(true);
    socket.setTimeout(CONNECT_MS_MAX, () => socket.destroy(new Error("the connection could not be made in time")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      socket.setTimeout(0);
      socket.removeListener("error", reject);
      resolve(socket);
    });
  });
}

function tlsOptions(settings: TlsSettings): ConnectionOptions {
  const { ca, cert, key, serverName, insecureSkipVerify = false } = settings;
  const bytes = (pem: string | Uint8Array): string | Buffer => (typeof pem === "string" ? pem : Buffer.from(pem));
  return {
    minVersion: "TLSv1.2",
    rejectUnauthorized: !insecureSkipVerify,
    ...(ca === undefined ? {} : { ca: bytes(ca) }),
    ...(cert === undefined ? {} : { cert: bytes(cert) }),
    ...(key === undefined ? {} : { key: bytes(key) }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}
