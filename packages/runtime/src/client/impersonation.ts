/** Impersonation: the headers that make a request act as somebody else. */
import type { Headers } from "@kubewright/core/ports";
import type { Impersonation } from "./client.ts";

/** The headers for `impersonation`; none without it. */
export function impersonationHeaders(impersonation: Impersonation | undefined): Headers {
  if (impersonation === undefined) return {};
  const { user, uid, groups = [], extra = {} } = impersonation;
  return {
    "impersonate-user": user,
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    ...(groups.length === 0 ? {} : { "impersonate-group": groups.join(", ") }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key).toLowerCase()}`,
        values.join(", "),
      ]),
    ),
  };
}
