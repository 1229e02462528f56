/**
 * Who may read metrics: the API server is asked who a token belongs to (TokenReview) and whether they may GET the path
 * (SubjectAccessReview). Answers are kept for a minute; when the API server cannot be asked nobody gets in.
 */
import { hash } from "node:crypto";
import { TokenReview } from "@kubewright/api/authentication/v1";
import { SubjectAccessReview } from "@kubewright/api/authorization/v1";
import type { Clock } from "@kubewright/core/ports";
import type { Client } from "../client/client.ts";

const KEPT_MS = 60_000;
const KEPT_MAX = 1000;

/** 200 may pass; 401 is nobody; 403 may not; 503 could not be checked. */
export type AccessDecision = 200 | 401 | 403 | 503;

/** Decides by the Authorization header. */
export function createMetricsAccess(
  client: Client,
  clock: Clock,
): (authorization: string | undefined, path: string) => Promise<AccessDecision> {
  const known = new Map<string, { readonly decision: AccessDecision; readonly atMs: number }>();
  return async (authorization, path) => {
    const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
    if (token === undefined) return 401;
    const key = `${hash("sha256", token)} ${path}`;
    const kept = known.get(key);
    if (kept !== undefined && clock.monotonic() - kept.atMs < KEPT_MS) return kept.decision;
    const decision = await decide(client, token, path).catch((): AccessDecision => 503);
    if (decision !== 503) known.set(key, { decision, atMs: clock.monotonic() });
    if (known.size > KEPT_MAX) known.clear();
    return decision;
  };
}

async function decide(client: Client, token: string, path: string): Promise<AccessDecision> {
  const { status } = await client.create(TokenReview, { spec: { token } });
  if (status?.authenticated !== true) return 401;
  const { username, uid, groups } = status.user ?? {};
  const review = await client.create(SubjectAccessReview, {
    spec: {
      ...(username === undefined ? {} : { user: username }),
      ...(uid === undefined ? {} : { uid }),
      ...(groups === undefined ? {} : { groups }),
      nonResourceAttributes: { path, verb: "get" },
    },
  });
  return review.status?.allowed === true ? 200 : 403;
}
