/**
 * The body of an HTTP/2 answer. Listening begins at once, because Node.js drops what nobody listens to when a stream closes; reading
 * waits for its reader. A stream that closes before its end throws, even where Node.js tells of no error.
 */
import { type ClientHttp2Stream, constants } from "node:http2";

/** Bytes that wait for the reader before the sender is asked to wait. */
const WAITING_BYTES_MAX = 1024 * 1024;

type Outcome = "open" | "ended" | { readonly error: Error };

/** The pieces of the body as they arrive. Call it in the very handler of "response". */
export function readHttp2Body(stream: ClientHttp2Stream): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let waitingBytes = 0;
  const state: { outcome: Outcome } = { outcome: "open" };
  let wake: () => void = () => {};
  const settle = (outcome: Outcome): void => {
    if (state.outcome === "open") state.outcome = outcome;
    wake();
  };
  stream.on("data", (piece: Uint8Array) => {
    pieces.push(piece);
    waitingBytes += piece.byteLength;
    if (waitingBytes > WAITING_BYTES_MAX) stream.pause();
    wake();
  });
  stream.on("error", (error) => settle({ error }));
  stream.once("close", () => {
    // A reset ends the readable side, too: only now is it known whether it ended well.
    const whole = stream.readableEnded && !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR;
    settle(whole ? "ended" : { error: closedEarly() });
  });
  return (async function* () {
    try {
      for (;;) {
        const piece = pieces.shift();
        if (piece !== undefined) {
          waitingBytes -= piece.byteLength;
          yield piece;
        } else if (state.outcome === "ended") return;
        else if (state.outcome !== "open") throw state.outcome.error;
        else {
          if (stream.isPaused()) stream.resume();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      if (state.outcome === "open") stream.close(constants.NGHTTP2_CANCEL);
    }
  })();
}

function closedEarly(): Error {
  return new Error("the connection was closed within the answer");
}
