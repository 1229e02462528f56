/**
 * Acting as somebody else: the Impersonate-* headers. Each name that a request wants to take on must be allowed to the
 * one who asks. Comes right after authentication; the rest of the server knows only the user that results.
 */
import { HEADER_VALUE_END, type Headers } from "@kubewright/core/ports";
import { badRequest } from "@kubewright/core/protocol";
import type { User } from "../request/user.ts";
import { anonymous } from "../request/user.ts";
import { type Authorize, requireAllowed, resourceAction } from "./authorization.ts";
import { parseServiceAccountName, serviceAccountGroups } from "./service-account.ts";

const PREFIX = "impersonate-";
const EXTRA_PREFIX = "impersonate-extra-";
const AUTHENTICATED = "system:authenticated";
const UNAUTHENTICATED = "system:unauthenticated";

/** Who the request acts as: `user` itself without headers. Throws 400 for headers without a user, 403 when not allowed. */
export function impersonate(user: User, headers: Headers, authorize: Authorize): User {
  const wanted = readWanted(headers);
  if (wanted === undefined) return user;
  for (const action of actionsOf(wanted)) {
    const attributes = resourceAction(user, { version: "v1", ...action, verb: "impersonate" });
    requireAllowed(authorize(attributes), attributes);
  }
  const { name, uid, extra } = wanted;
  return {
    name,
    groups: withSystemGroup(name, groupsOf(wanted)),
    ...(uid === "" ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

interface Wanted {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

function readWanted(headers: Headers): Wanted | undefined {
  if (!isAsked(headers)) return undefined;
  const name = headers["impersonate-user"] ?? "";
  const groups = splitHeader(headers["impersonate-group"]);
  const uid = headers["impersonate-uid"] ?? "";
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([header]) => header.startsWith(EXTRA_PREFIX))
      .map(([header, value]) => [unescapeKey(header.slice(EXTRA_PREFIX.length)), splitHeader(value)]),
  );
  if (name !== "") return { name, groups, uid, extra };
  if (groups.length === 0 && uid === "" && Object.keys(extra).length === 0) return undefined;
  throw badRequest(`requested ${describe({ name, groups, uid, extra })} without impersonating a user name`);
}

function isAsked(headers: Headers): boolean {
  for (const header in headers) if (header.startsWith(PREFIX)) return true;
  return false;
}

/** Repeated headers arrive as one: each value ended by a character of its own from sockets, joined by commas otherwise. */
function splitHeader(value = ""): readonly string[] {
  if (value.endsWith(HEADER_VALUE_END)) return value.split(HEADER_VALUE_END).slice(0, -1);
  return value === "" ? [] : value.split(/,\s*/);
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key; // Malformed escapes are taken as they are.
  }
}

interface WantedAction {
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

const AUTHENTICATION_GROUP = "authentication.k8s.io";

function actionsOf({ name, groups, uid, extra }: Wanted): readonly WantedAction[] {
  const account = parseServiceAccountName(name);
  return [
    account === undefined ? { resource: "users", name } : { resource: "serviceaccounts", ...account },
    ...groups.map((group) => ({ resource: "groups", name: group })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => ({
        group: AUTHENTICATION_GROUP,
        resource: "userextras",
        subresource: key,
        name: value,
      })),
    ),
    ...(uid === "" ? [] : [{ group: AUTHENTICATION_GROUP, resource: "uids", name: uid }]),
  ];
}

function groupsOf({ name, groups }: Wanted): readonly string[] {
  const account = parseServiceAccountName(name);
  return groups.length > 0 || account === undefined ? groups : serviceAccountGroups(account.namespace);
}

function withSystemGroup(name: string, groups: readonly string[]): readonly string[] {
  if (name === anonymous.name) return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  const isSaid = groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return isSaid ? groups : [...groups, AUTHENTICATED];
}

/** As Go prints the user that was asked for. */
function describe({ name, groups, uid, extra }: Wanted): string {
  const list = (values: readonly string[]): string =>
    `[]string{${values.map((value) => JSON.stringify(value)).join(", ")}}`;
  const entries = Object.entries(extra).map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  const extras = entries.length === 0 ? "(nil)" : `{${entries.join(", ")}}`;
  const group = groups.length === 0 ? "[]string(nil)" : list(groups);
  const names = `Name:${JSON.stringify(name)}, UID:${JSON.stringify(uid)}`;
  return `&user.DefaultInfo{${names}, Groups:${group}, Extra:map[string][]string${extras}}`;
}
