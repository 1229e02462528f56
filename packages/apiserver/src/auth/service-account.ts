/** The names by which service accounts act: their user name and groups. Pure functions. */

const USER_PREFIX = "system:serviceaccount:";

/** A service account by its place. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** "system:serviceaccount:shop:default". */
export function serviceAccountUserName({ namespace, name }: ServiceAccountName): string {
  return `${USER_PREFIX}${namespace}:${name}`;
}

/** The groups that a service account of a namespace is in, beside those of all authenticated users. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** The service account of a user name; undefined for other users. */
export function parseServiceAccountName(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(USER_PREFIX)) return undefined;
  const [namespace = "", name = "", ...rest] = userName.slice(USER_PREFIX.length).split(":");
  return namespace === "" || name === "" || rest.length > 0 ? undefined : { namespace, name };
}
