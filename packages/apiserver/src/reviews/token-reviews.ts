/** "Who is this?": TokenReview for a token, SelfSubjectReview for the one who asks. */
import type { JsonObject } from "@kubewright/core/meta";
import { badRequest } from "@kubewright/core/protocol";
import type { Auth } from "../auth/auth.ts";
import type { Endpoint } from "../endpoints/call.ts";
import type { User } from "../request/user.ts";
import { reviewEndpoint, specOf, textAt, textsAt, withStatus } from "./review.ts";

const GROUP = "authentication.k8s.io";

/** The endpoints of the reviews of users. */
export function tokenReviewEndpoints({ authenticateToken }: Pick<Auth, "authenticateToken">): [string, Endpoint][] {
  return [
    [
      `create tokenreviews.${GROUP}`,
      reviewEndpoint(async (review, _call, admit) => {
        const token = textAt(specOf(review), "token");
        if (token === "") throw badRequest("token is required for TokenReview in authentication");
        await admit(review);
        const audiences = textsAt(specOf(review), "audiences");
        const verdict = audiences.length === 0 ? authenticateToken(token) : authenticateToken(token, audiences);
        return withStatus(review, toStatus(verdict));
      }),
    ],
    [
      `create selfsubjectreviews.${GROUP}`,
      reviewEndpoint(async (review, { request }, admit) => {
        await admit(review);
        return withStatus(review, { userInfo: userInfo(request.user) });
      }),
    ],
  ];
}

function toStatus(verdict: ReturnType<Auth["authenticateToken"]>): JsonObject {
  if (verdict?.user !== undefined) {
    return { authenticated: true, user: userInfo(verdict.user), audiences: [...verdict.audiences] };
  }
  const error = verdict === undefined ? "invalid bearer token" : `[invalid bearer token, ${verdict.error}]`;
  return { user: {}, error };
}

/** A user as the API writes one. */
export function userInfo({ name, uid = "", groups, extra = {} }: User): JsonObject {
  return {
    username: name,
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
