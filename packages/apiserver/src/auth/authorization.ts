/**
 * The authentication and authorization steps, as functions that the server makes from its options (auth.ts) and every
 * request goes through (server/serve.ts). Deciding is synchronous: rules are in memory, and policies ask while they run.
 */
import { forbidden, type RequestInfo } from "@kubewright/core/protocol";
import type { ParsedRequest } from "../request/request.ts";
import type { User } from "../request/user.ts";

/** Finds out who makes a request; throws a 401 when credentials are given but wrong. */
export type Authenticate = (request: Pick<ParsedRequest, "headers" | "connection">) => User | Promise<User>;

/** An action on objects of a resource. */
export interface ResourceAttributes {
  readonly isResource: true;
  /** A request's verb, or one that only rules know: "bind", "impersonate", "approve". */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** "" for cluster scope and for all namespaces. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** "" for all objects. */
  readonly name: string;
}

/** An action on a path beside resources. */
export interface PathAttributes {
  readonly isResource: false;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** What may be allowed or not. */
export type Action = ResourceAttributes | PathAttributes;

/** What is to be allowed, and to whom. */
export type AuthorizationAttributes = { readonly user: User } & Action;

/** Whether something is allowed, and why. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides whether a user may do something. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationDecision;

/** The group whose members may do everything, whatever the rules say. */
export const PRIVILEGED_GROUP = "system:masters";

/** Allows everything. */
export const alwaysAllow: Authorize = () => ({ allowed: true, reason: "" });

/** What a request asks to be allowed. */
export function attributesOf(user: User, info: RequestInfo): AuthorizationAttributes {
  if (!info.isResource) return { user, isResource: false, verb: info.verb, path: info.path };
  const { verb = "", group, version, namespace, resource, subresource, name } = info;
  return { user, isResource: true, verb, group, version, namespace, resource, subresource, name };
}

/** The attributes of an action on a resource, with what is left out being "". */
export function resourceAction(
  user: User,
  action: Partial<ResourceAttributes> & { readonly verb: string; readonly resource: string },
): AuthorizationAttributes {
  return { user, isResource: true, group: "", version: "*", namespace: "", subresource: "", name: "", ...action };
}

/** Throws the 403 unless `decision` allows. */
export function requireAllowed(decision: AuthorizationDecision, attributes: AuthorizationAttributes): void {
  if (decision.allowed) return;
  const who = `User ${JSON.stringify(attributes.user.name)}`;
  const reason = decision.reason === "" ? "" : `: ${decision.reason}`;
  if (!attributes.isResource) {
    const why = `${who} cannot ${attributes.verb} path ${JSON.stringify(attributes.path)}`;
    throw forbidden(undefined, "", sanitized(why) + reason);
  }
  const { group, name, verb, namespace } = attributes;
  const what = `resource ${JSON.stringify(combinedResource(attributes))} in API group ${JSON.stringify(group)}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const why = sanitized(`${who} cannot ${verb} ${what} ${where}`);
  throw forbidden({ group, plural: attributes.resource }, name, why + reason);
}

/** What a stranger said is shown to browsers, too. */
function sanitized(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** "pods" or "pods/log". */
export function combinedResource({ resource, subresource }: ResourceAttributes): string {
  return subresource === "" ? resource : `${resource}/${subresource}`;
}
