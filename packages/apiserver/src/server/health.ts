/** `/healthz`, `/livez` and `/readyz`: the server answers, so it is well. */

import { plainText } from "../request/plain-text.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";

const CHECKS = ["ping", "log", "etcd"];

/** Serves the three health paths and their single checks (`/readyz/etcd`). */
export async function healthEndpoint({ info }: ApiRequest): Promise<ApiResponse | undefined> {
  const [, endpoint = "", check] = info.path.split("/");
  if (check !== undefined) return CHECKS.includes(check) ? plainText(200, "ok") : undefined;
  if (!info.query.has("verbose")) return plainText(200, "ok");
  const excluded = new Set(info.query.getAll("exclude"));
  const lines = CHECKS.map((name) => (excluded.has(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  const unknown = [...excluded].filter((name) => !CHECKS.includes(name)).map((name) => JSON.stringify(name));
  const warning =
    unknown.length === 0 ? [] : [`warn: some health checks cannot be excluded: no matches for ${unknown.join(",")}`];
  return plainText(200, [...lines, ...warning, `${endpoint} check passed`, ""].join("\n"));
}
