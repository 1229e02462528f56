/**
 * Bytes that no client should send: the beginnings of conversations that clients do have (HTTP/1.1, HTTP/2, WebSocket and
 * SPDY), damaged at random. The same random gives the same bytes. socket-fuzz.test.ts sends them.
 */
import type { Random } from "@kubewright/core/ports";
import { encodeFrame } from "@kubewright/core/protocol";
import { GO_AWAY, OPEN_DATA, OPEN_ERROR, PING, RESET_DATA, SAY_HI } from "../../spdy/testdata/client-frames.ts";
import { below, chance, pick } from "./random-choices.ts";

const HOST = "host: localhost\r\n";
const PATH = "/api/v1/namespaces/default/configmaps";
const JSON_TYPE = "content-type: application/json\r\n";
const UPGRADE = "connection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
const MASK = Buffer.from([1, 2, 3, 4]);

/** Opens a WebSocket that follows a watch. */
export const WEBSOCKET_HEAD = `GET ${PATH}?watch=1 HTTP/1.1\r\n${HOST}upgrade: websocket\r\n${UPGRADE}\r\n`;

/** Opens a WebSocket to a command that reads its input. */
export const COMMAND_HEAD =
  "GET /api/v1/namespaces/default/pods/a/exec?command=cat&stdin=1&stdout=1 HTTP/1.1\r\n" +
  `${HOST}upgrade: websocket\r\n${UPGRADE}sec-websocket-protocol: v5.channel.k8s.io\r\n\r\n`;

/** Opens SPDY to the ports of a pod. */
export const SPDY_HEAD =
  "POST /api/v1/namespaces/default/pods/a/portforward HTTP/1.1\r\n" +
  `${HOST}connection: Upgrade\r\nupgrade: SPDY/3.1\r\nx-stream-protocol-version: portforward.k8s.io\r\n\r\n`;

const BODY = '{"metadata":{"name":"a"}}';
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

const REQUESTS: readonly string[] = [
  `GET ${PATH} HTTP/1.1\r\n${HOST}\r\n`,
  `GET /readyz HTTP/1.0\r\n\r\n`,
  `POST ${PATH} HTTP/1.1\r\n${HOST}${JSON_TYPE}content-length: ${BODY.length}\r\n\r\n${BODY}`,
  `POST ${PATH} HTTP/1.1\r\n${HOST}${JSON_TYPE}transfer-encoding: chunked\r\n\r\n${CHUNKED}`,
  `POST ${PATH} HTTP/1.1\r\n${HOST}${JSON_TYPE}expect: 100-continue\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  `DELETE ${PATH}/a HTTP/1.1\r\n${HOST}\r\n`,
  `GET ${PATH}?watch=1&timeoutSeconds=1 HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`,
  WEBSOCKET_HEAD,
  COMMAND_HEAD,
  SPDY_HEAD,
];

/** What an HTTP/1.1 head must not have, or not twice. */
const ODD_HEADERS: readonly string[] = [
  "content-length: 5\r\ncontent-length: 6\r\n",
  "transfer-encoding: chunked\r\ncontent-length: 3\r\n",
  "transfer-encoding: chunked, identity\r\n",
  "transfer-encoding: \x0bchunked\r\n",
  "content-length: -1\r\n",
  "content-length: 99999999999999999999\r\n",
  "content-length: 0x10\r\n",
  " folded: line\r\n",
  "bad header\r\n",
  ": nameless\r\n",
  "name : spaced\r\n",
  "nul: a\0b\r\n",
  "lone: lf\n",
  "lone: cr\r",
  "connection: keep-alive, close, upgrade\r\n",
  "upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n",
  `cookie: ${"x".repeat(20_000)}\r\n`,
  "x: y\r\n".repeat(3000),
  "host: other\r\n",
];

const http1 = (random: Random): Buffer => {
  const requests = Array.from({ length: 1 + below(random, 3) }, () => pick(random, REQUESTS));
  const text = requests
    .map((request) => (chance(random, 0.5) ? request.replace("\r\n", `\r\n${pick(random, ODD_HEADERS)}`) : request))
    .join("");
  return damaged(random, Buffer.from(text, "latin1"));
};

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** A frame of HTTP/2, whatever it says. */
function http2Frame(random: Random): Buffer {
  const payload = randomBytes(random, below(random, 64));
  const head = Buffer.alloc(9);
  head.writeUIntBE(chance(random, 0.9) ? payload.byteLength : below(random, 1 << 24), 0, 3);
  head.writeUInt8(below(random, 12), 3);
  head.writeUInt8(below(random, 256), 4);
  head.writeUInt32BE(chance(random, 0.3) ? 0 : 1 + 2 * below(random, 8), 5);
  return Buffer.concat([head, payload]);
}

/** A whole request in HPACK's plain form: GET /readyz. */
const HEADERS_FRAME = Buffer.concat([
  Buffer.from("0000160105000000018287", "hex"),
  Buffer.from("\x04\x07/readyz\x41\x09localhost", "latin1"),
]);

const http2 = (random: Random): Buffer => {
  const settings = Buffer.from("000000040000000000", "hex");
  const frames = Array.from({ length: below(random, 30) }, () =>
    chance(random, 0.1) ? HEADERS_FRAME : http2Frame(random),
  );
  return damaged(random, Buffer.concat([PREFACE, settings, ...frames]));
};

const KINDS = ["text", "binary", "continuation", "close", "ping", "pong"] as const;

const webSocketFrames = (random: Random): Buffer =>
  damaged(
    random,
    Buffer.concat(
      Array.from({ length: 1 + below(random, 20) }, () => {
        const payload = randomBytes(random, pick(random, [0, 1, 5, 125, 126, 2000, 70_000]));
        return encodeFrame(pick(random, KINDS), payload, chance(random, 0.9) ? MASK : undefined);
      }),
    ),
  );

const spdyFrames = (random: Random): Buffer => {
  const known = [OPEN_ERROR, OPEN_DATA, SAY_HI, RESET_DATA, PING, GO_AWAY];
  const first = chance(random, 0.7) ? [OPEN_ERROR, OPEN_DATA] : [];
  const rest = Array.from({ length: below(random, 20) }, () =>
    chance(random, 0.6) ? pick(random, known) : randomBytes(random, 8 + below(random, 40)),
  );
  return damaged(random, Buffer.concat([...first, ...rest]));
};

/** One conversation: what is said before the server answers, and after. */
export interface FuzzBytes {
  readonly protocol: "http/1.1" | "h2";
  /** Said first; the rest follows once the server has answered it. */
  readonly head: string;
  readonly bytes: Buffer;
}

/** The kinds of conversation, by name. */
export const CONVERSATIONS: Readonly<Record<string, (random: Random) => FuzzBytes>> = {
  "HTTP/1.1": (random) => ({ protocol: "http/1.1", head: "", bytes: http1(random) }),
  "HTTP/2": (random) => ({ protocol: "h2", head: "", bytes: http2(random) }),
  "a WebSocket that follows a watch": (random) => ({
    protocol: "http/1.1",
    head: WEBSOCKET_HEAD,
    bytes: webSocketFrames(random),
  }),
  "a WebSocket to a command": (random) => ({
    protocol: "http/1.1",
    head: COMMAND_HEAD,
    bytes: webSocketFrames(random),
  }),
  SPDY: (random) => ({ protocol: "http/1.1", head: SPDY_HEAD, bytes: spdyFrames(random) }),
};

/** Bytes with some changed, cut out, repeated or put in; now and then as they were. */
function damaged(random: Random, bytes: Buffer): Buffer {
  let result = bytes;
  for (let wounds = below(random, 5); wounds > 0; wounds--) result = wounded(random, result);
  return result;
}

function wounded(random: Random, bytes: Buffer): Buffer {
  const at = below(random, bytes.byteLength + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (below(random, 4)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, randomBytes(random, 1 + below(random, 16)), after]);
    case 2:
      return Buffer.concat([before, before.subarray(-below(random, 200)), after]);
    default:
      return Buffer.concat([before, randomBytes(random, 1), after.subarray(1)]);
  }
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(random.bytes(length));
}
