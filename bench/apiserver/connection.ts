/**
 * A client that costs little, so that the server is what is measured: HTTP/1.1 on one kept TLS connection, requests as
 * bytes that were made before, answers counted and kept only when asked for. load.ts drives many of them.
 */
import { connect, type TLSSocket } from "node:tls";
import { type Answer, AnswerReader, type Kept } from "./answer-reader.ts";

/** A server as its clients know it. */
export interface Target {
  readonly url: string;
  /** PEM of the authority to trust. */
  readonly certificateAuthority: string;
  readonly token: string;
}

/** What a request asks for. */
export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** @default "application/json" */
  readonly contentType?: string;
}

/** The bytes of a request. */
export function encodeRequest({ url, token }: Target, { method, path, body = "", contentType }: PlainRequest): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${token}`,
    "Accept: application/json",
    "User-Agent: bench",
    ...(body === ""
      ? []
      : [`Content-Type: ${contentType ?? "application/json"}`, `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** One connection; one request at a time. */
export class Connection {
  readonly #socket: TLSSocket;
  #reader: AnswerReader | undefined;
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  #isClosed = false;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", (error) => this.#settle?.reject(error));
    socket.on("close", () => {
      this.#isClosed = true;
      this.#settle?.reject(new Error("the server closed the connection"));
    });
  }

  static open(target: Target): Promise<Connection> {
    return openSocket(target).then((socket) => new Connection(socket));
  }

  /** Sends a request and resolves with its answer. */
  send(request: Buffer, kept: Kept = "count"): Promise<Answer> {
    if (this.#isClosed) throw new Error("the server closed the connection");
    this.#reader = new AnswerReader(kept);
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const answer = this.#reader?.take(chunk);
    if (answer === undefined) return;
    const settle = this.#settle;
    this.#settle = undefined;
    this.#reader = undefined;
    settle?.resolve(answer);
  }
}

/** A TLS connection to the target. */
export function openSocket({ url, certificateAuthority }: Target): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      ca: certificateAuthority,
      ALPNProtocols: ["http/1.1"],
      // The certificate that kube-apiserver makes for itself names the machine, not always the address.
      checkServerIdentity: () => undefined,
    });
    socket.setNoDelay(true);
    socket.once("secureConnect", () => resolve(socket));
    socket.once("error", reject);
  });
}
