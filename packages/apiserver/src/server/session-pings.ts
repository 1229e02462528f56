/**
 * Signs of life on HTTP/2 sessions: a client that vanished without closing its connection would keep its watches, and
 * what waits for them, for ever. listen.ts looks after every session with it.
 */
import type { ServerHttp2Session } from "node:http2";

/** Pings a session when it is quiet for `quietMs`, and ends one that does not answer for as long again. */
export function pingWhenQuiet(session: ServerHttp2Session, quietMs: number): void {
  let isAsked = false;
  const ask = (): void => {
    if (session.destroyed) return;
    if (isAsked) {
      session.destroy();
      return;
    }
    isAsked = true;
    session.ping(() => {
      isAsked = false;
    });
    session.setTimeout(quietMs, ask); // A ping is no activity: the time must be set anew.
  };
  session.setTimeout(quietMs, ask);
}
