/**
 * How many requests of one user are served at once. What comes beyond that is told to come back later, as kube-apiserver's
 * priority and fairness does, so that whoever floods the server (or waits for its own slow webhook) leaves it to others.
 */
import { PRIVILEGED_GROUP } from "../auth/authorization.ts";
import { plainText } from "../request/plain-text.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ServeAdmitted } from "./faults.ts";

/** As many as kube-apiserver serves at once by default, reads and writes together. */
export const IN_FLIGHT_MAX = 600;

const LONG_RUNNING_SUBRESOURCES: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);
const RETRY_AFTER_SECONDS = 1;

/** Serves at most `max` requests of a user at once. Administrators and what runs for long are not counted. */
export function withLimit(serve: ServeAdmitted, max: number): ServeAdmitted {
  const counts = new Map<string, number>();
  const limited: ServeAdmitted = async (request, backend) => {
    const { name } = request.user;
    const count = counts.get(name) ?? 0;
    if (count >= max) return tooMany();
    counts.set(name, count + 1);
    try {
      return await serve(request, backend);
    } finally {
      const left = (counts.get(name) ?? 1) - 1;
      if (left === 0) counts.delete(name);
      else counts.set(name, left);
    }
  };
  return (request, backend) => (isExempt(request) ? serve : limited)(request, backend);
}

function isExempt({ user, info }: ApiRequest): boolean {
  if (user.groups.includes(PRIVILEGED_GROUP)) return true;
  return info.isResource && (info.verb === "watch" || LONG_RUNNING_SUBRESOURCES.has(info.subresource));
}

function tooMany(): ApiResponse {
  const { headers, ...answer } = plainText(429, "Too many requests, please try again later.\n");
  return { ...answer, headers: { ...headers, "retry-after": String(RETRY_AFTER_SECONDS) } };
}
