/** Impersonation: the headers that make a request act as somebody else. */
import { HEADER_VALUE_END, type Headers } from "@kubewright/core/ports";
import type { Impersonation } from "./client.ts";

/** The headers for `impersonation`; none without it. Each group and each extra value is a header of its own. */
export function impersonationHeaders(impersonation: Impersonation | undefined): Headers {
  if (impersonation === undefined) return {};
  const { user, uid, groups = [], extra = {} } = impersonation;
  return {
    "impersonate-user": user,
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    ...(groups.length === 0 ? {} : { "impersonate-group": repeated(groups) }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key).toLowerCase()}`,
        repeated(values),
      ]),
    ),
  };
}

function repeated(values: readonly string[]): string {
  const odd = values.find((value) => value.includes(HEADER_VALUE_END));
  if (odd !== undefined) throw new TypeError(`nobody can be impersonated as ${JSON.stringify(odd)}: it has a line end`);
  return values.map((value) => value + HEADER_VALUE_END).join("");
}
