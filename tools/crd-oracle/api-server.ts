/** JSON requests to a real API server, with the warnings it gives; for oracle.ts. */
import { request } from "node:https";
import type { ControlPlane } from "@kubewright/testing";

/** What the API server answered. */
export interface Answer {
  readonly code: number;
  readonly body: unknown;
  /** Texts of Warning headers. */
  readonly warnings: readonly string[];
}

/** Sends one request. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A function that sends requests to the control plane as its administrator. */
export function callerOf({ url, token, certificateAuthority }: ControlPlane): Call {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json" };
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${url}${path}`, { method, headers, ca: certificateAuthority }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const warnings = [response.headers["warning"] ?? []].flat().flatMap(parseWarnings);
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ code: response.statusCode ?? 0, body: JSON.parse(text), warnings });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** `299 - "text"`, several in one header. */
function parseWarnings(header: string): string[] {
  return [...header.matchAll(/299 \S+ ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text));
}
