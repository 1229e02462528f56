/**
 * The authentication and authorization steps, as functions that the server is given. The defaults believe the
 * connection and allow everything, as `--authorization-mode=AlwaysAllow` does.
 */
import { forbidden, type RequestInfo } from "@kubewright/core/protocol";
import type { ParsedRequest } from "../request/request.ts";
import { administrator, type User } from "../request/user.ts";

/** Finds out who makes a request; throws a 401 when credentials are given but wrong. */
export type Authenticate = (request: ParsedRequest) => User | Promise<User>;

/** What is to be allowed. */
export interface AuthorizationAttributes {
  readonly user: User;
  /** What the request is about. */
  readonly info: RequestInfo;
}

/** Whether something is allowed, and why. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides whether a user may do something. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationDecision | Promise<AuthorizationDecision>;

/** Believes the connection: its own user, its certificate's names; everybody else is an administrator. */
export const trustConnection: Authenticate = ({ connection: { user, certificate } }) => {
  if (user !== undefined) return user;
  if (certificate === undefined) return administrator;
  return { name: certificate.commonName, groups: [...certificate.organizations, "system:authenticated"] };
};

/** Allows everything. */
export const alwaysAllow: Authorize = () => ({ allowed: true, reason: "" });

/** Throws the 403 unless `decision` allows. */
export function requireAllowed(decision: AuthorizationDecision, { user, info }: AuthorizationAttributes): void {
  if (decision.allowed) return;
  const who = `User ${JSON.stringify(user.name)}`;
  const reason = decision.reason === "" ? "" : `: ${decision.reason}`;
  if (!info.isResource) {
    throw forbidden(undefined, "", `${who} cannot ${info.verb} path ${JSON.stringify(info.path)}${reason}`);
  }
  const { group, name, verb, namespace, subresource } = info;
  const resource = subresource === "" ? info.resource : `${info.resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${where}`;
  throw forbidden({ group, plural: info.resource }, name, `${who} cannot ${verb} ${what}${reason}`);
}
