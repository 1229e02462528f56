/** The endpoints that authentication and authorization bring: reviews and token requests. */

import type { Auth } from "../auth/auth.ts";
import type { SpecialEndpoints } from "../endpoints/call.ts";
import { accessReviewEndpoints } from "./access-reviews.ts";
import { tokenRequestEndpoints } from "./token-request.ts";
import { tokenReviewEndpoints } from "./token-reviews.ts";

/** Endpoints by verb and resource. */
export function authEndpoints(auth: Auth): SpecialEndpoints {
  return new Map([
    ...accessReviewEndpoints(auth),
    ...tokenReviewEndpoints(auth),
    ...tokenRequestEndpoints(auth.serviceAccountTokens),
  ]);
}
