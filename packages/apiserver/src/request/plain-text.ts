/** Answers that are no JSON: health checks and paths that are not there. */
import type { ApiResponse } from "./request.ts";

/** An answer in plain text. */
export function plainText(status: number, text: string): ApiResponse {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status, headers, body: text };
}
