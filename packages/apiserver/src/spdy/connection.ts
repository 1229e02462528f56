/**
 * The server's side of a SPDY/3.1 connection: clients open streams, each of which is given out as a two-way stream of
 * bytes. The bytes of the connection come from a socket, or from a WebSocket that tunnels them. A stream that nobody reads
 * holds up the whole connection, so memory stays bounded without windows (which Kubernetes' clients do not have).
 */
import { Duplex } from "node:stream";
import { encodeData, encodePing, encodeReset, encodeSynReply, readSpdyFrame, type SpdyFrame } from "./frame.ts";
import { HeaderReader, HeaderWriter, type SpdyHeaders } from "./headers.ts";

/** One stream that a client opened. */
export interface SpdyStream {
  readonly id: number;
  readonly headers: SpdyHeaders;
  /** What is said on it, both ways; destroying it resets the stream. */
  readonly bytes: Duplex;
}

/** More streams at once are refused. */
const STREAMS_MAX = 1000;

/** Larger pieces are cut, so that streams take turns. */
const DATA_BYTES_MAX = 64 * 1024;

const NOTHING = new Uint8Array();
const NO_HEADERS: SpdyHeaders = new Map();

/** Serves a connection, handing each stream to `onStream`; resolves when the connection is closed. */
export function serveSpdy(connection: Duplex, onStream: (stream: SpdyStream) => void): Promise<void> {
  const session = new SpdySession(connection, onStream);
  return new Promise((resolve) => {
    const close = (): void => {
      session.close();
      resolve();
    };
    connection.once("close", close);
    connection.once("error", () => connection.destroy());
    connection.once("end", () => connection.destroy()); // A client that is gone reads no answers either.
    connection.on("data", (chunk: Buffer) => session.take(chunk));
    if (connection.destroyed) close();
  });
}

class SpdySession {
  readonly #connection: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #streams = new Map<number, Duplex>();
  readonly #stalled = new Set<number>();
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  #pending: Buffer = Buffer.alloc(0);
  #lastStream = 0;

  constructor(connection: Duplex, onStream: (stream: SpdyStream) => void) {
    this.#connection = connection;
    this.#onStream = onStream;
  }

  /** Takes bytes of the client; what is no frame ends the connection. */
  take(chunk: Buffer): void {
    this.#pending = this.#pending.byteLength === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    try {
      for (let read = readSpdyFrame(this.#pending); read !== "more"; read = readSpdyFrame(this.#pending)) {
        if (read === "error") throw new RangeError("malformed frame");
        this.#pending = read.rest;
        this.#handle(read.frame);
      }
    } catch {
      this.#connection.destroy(); // The headers that follow could not be read any more.
    }
  }

  /** Ends every stream: the connection is gone. */
  close(): void {
    for (const bytes of this.#streams.values()) bytes.destroy();
  }

  #handle(frame: SpdyFrame): void {
    switch (frame.kind) {
      case "syn-stream":
        this.#open(frame.stream, this.#reader.read(frame.block), frame.fin);
        return;
      case "data":
        this.#receive(frame.stream, frame.payload, frame.fin);
        return;
      case "rst-stream":
        this.#giveUp(frame.stream);
        return;
      case "ping":
        this.#send(encodePing(frame.id));
        return;
      case "go-away":
      case "other":
        return;
    }
  }

  #open(id: number, headers: SpdyHeaders, fin: boolean): void {
    const isNew = id % 2 === 1 && id > this.#lastStream; // Clients have the odd numbers.
    if (!isNew || this.#streams.size >= STREAMS_MAX) {
      this.#send(encodeReset(id, isNew ? "refused-stream" : "protocol-error"));
      return;
    }
    this.#lastStream = id;
    const bytes = this.#createBytes(id);
    this.#streams.set(id, bytes);
    this.#send(encodeSynReply(id, this.#writer.write(NO_HEADERS)));
    if (fin) bytes.push(null);
    this.#onStream({ id, headers, bytes });
  }

  #receive(id: number, payload: Uint8Array, fin: boolean): void {
    const bytes = this.#streams.get(id);
    if (bytes === undefined || bytes.readableEnded) return; // Given up while this was on its way.
    if (payload.byteLength > 0 && !bytes.push(payload)) {
      this.#stalled.add(id);
      this.#connection.pause();
    }
    if (fin) bytes.push(null);
  }

  #giveUp(id: number): void {
    const bytes = this.#streams.get(id);
    this.#streams.delete(id); // Only streams that are still known are reset by us.
    bytes?.destroy();
  }

  #createBytes(id: number): Duplex {
    const bytes = new Duplex({
      read: () => this.#goOn(id),
      write: (chunk: Uint8Array, _encoding, done) => this.#sendData(id, chunk, done),
      final: (done) => {
        this.#send(encodeData(id, NOTHING, true));
        done();
      },
      destroy: (error, done) => {
        const isOver = bytes.readableEnded && bytes.writableFinished;
        if (this.#streams.delete(id) && !isOver) this.#send(encodeReset(id, "cancel"));
        this.#goOn(id);
        done(error);
      },
    });
    bytes.on("error", () => {}); // Its reader hears of it as well; nobody else must.
    return bytes;
  }

  #goOn(id: number): void {
    if (this.#stalled.delete(id) && this.#stalled.size === 0) this.#connection.resume();
  }

  #sendData(id: number, chunk: Uint8Array, done: (error?: Error | null) => void): void {
    const last = Math.max(0, Math.ceil(chunk.byteLength / DATA_BYTES_MAX) - 1) * DATA_BYTES_MAX;
    for (let start = 0; start < last; start += DATA_BYTES_MAX) {
      this.#send(encodeData(id, chunk.subarray(start, start + DATA_BYTES_MAX), false));
    }
    this.#connection.write(encodeData(id, chunk.subarray(last), false), done);
  }

  #send(frame: Uint8Array): void {
    if (this.#connection.writable) this.#connection.write(frame);
  }
}
