/**
 * Reaches a server through a SOCKS5 proxy (RFC 1928, with the passwords of RFC 1929): what a kubeconfig's `proxy-url` may name. The proxy
 * resolves the server's name. open-channel.ts and agent.ts put TLS on what comes back. Credentials never stand in an error.
 */
import { connect, type Socket } from "node:net";

const VERSION = 5;
const PASSWORD_VERSION = 1;
const NO_AUTHENTICATION = 0;
const PASSWORD = 2;
const CONNECT = 1;
const DOMAIN_NAME = 3;
const DEFAULT_PORT = 1080;
/** The length of an address in an answer, by its kind; that of a name is in its first byte. */
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 1: 4, 4: 16 };
const PORT_BYTES = 2;

/** What a proxy may answer to a request, by its code. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "connection not allowed",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
  7: "command not supported",
  8: "address type not supported",
};

/** Where a connection leads. */
export interface SocksTarget {
  readonly host: string;
  readonly port: number;
}

/** True for the URL of a SOCKS5 proxy. */
export function isSocksUrl(url: string | undefined): url is string {
  return url !== undefined && /^socks5h?:\/\//i.test(url);
}

/** A connection to `target` through the proxy at `proxyUrl`; it fails after `timeoutMs`. */
export async function connectThroughSocks(proxyUrl: string, target: SocksTarget, timeoutMs: number): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  const socket = connect(proxy.port === "" ? DEFAULT_PORT : Number(proxy.port), proxy.hostname.replace(/^\[|\]$/g, ""));
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("it did not answer in time")));
  try {
    await greet(socket, proxy);
    await ask(socket, target);
  } catch (error) {
    socket.destroy();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the SOCKS5 proxy ${proxy.host} does not lead to ${target.host}:${target.port}: ${why}`);
  }
  socket.setTimeout(0);
  return socket;
}

async function greet(socket: Socket, { username, password }: URL): Promise<void> {
  const method = username === "" ? NO_AUTHENTICATION : PASSWORD;
  socket.write(Uint8Array.of(VERSION, 1, method));
  const [version, chosen] = await read(socket, 2);
  if (version !== VERSION) throw new Error("it does not speak SOCKS5");
  if (chosen !== method) throw new Error(`it wants ${username === "" ? "a" : "another"} proof of who asks`);
  if (method === NO_AUTHENTICATION) return;
  const words = [username, password].map((word) => sized(decodeURIComponent(word)));
  socket.write(Buffer.concat([Uint8Array.of(PASSWORD_VERSION), ...words]));
  const [, status] = await read(socket, 2);
  if (status !== 0) throw new Error("it does not take the name and password of the proxy-url");
}

async function ask(socket: Socket, { host, port }: SocksTarget): Promise<void> {
  const head = Uint8Array.of(VERSION, CONNECT, 0, DOMAIN_NAME);
  socket.write(Buffer.concat([head, sized(host), Uint8Array.of(port >> 8, port & 0xff)]));
  const [, code = 1, , kind = 0] = await read(socket, 4);
  if (code !== 0) throw new Error(REFUSALS[code] ?? `refused with code ${code}`);
  const addressBytes = ADDRESS_BYTES[kind] ?? (await read(socket, 1))[0] ?? 0;
  await read(socket, addressBytes + PORT_BYTES);
}

/** A text behind its length. */
function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.byteLength > 255) throw new Error("a name or password has more than 255 bytes");
  return Buffer.concat([Uint8Array.of(bytes.byteLength), bytes]);
}

/** Exactly the next bytes; what follows them stays for the reader after. */
function read(socket: Socket, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      socket.removeListener("readable", look);
      socket.removeListener("error", fail);
      socket.removeListener("close", fail);
      settle();
    };
    const fail = (error?: unknown): void =>
      end(() => reject(error instanceof Error ? error : new Error("it closed the connection")));
    const look = (): void => {
      const chunk: Buffer | null = socket.read(bytes);
      if (chunk !== null) end(() => resolve(chunk));
    };
    socket.on("readable", look).once("error", fail).once("close", fail);
    look();
  });
}
