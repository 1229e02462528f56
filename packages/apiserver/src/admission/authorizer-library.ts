/**
 * The `authorizer` of admission expressions: `authorizer.group("apps").resource("deployments").check("create").allowed()`.
 * Asks the server's own authorizer, as the user of the request.
 */
import { type Declaration, declare, type OpaqueValue, parseType, type Value } from "@kubewright/core/engine";
import {
  type Action,
  type AuthorizationDecision,
  type Authorize,
  type ResourceAttributes,
  resourceAction,
} from "../auth/authorization.ts";
import { serviceAccountGroups, serviceAccountUserName } from "../auth/service-account.ts";
import type { User } from "../request/user.ts";
import type { AdmissionRequest } from "./admission.ts";

const AUTHORIZER = "kubernetes.authorization.Authorizer";
const PATH = "kubernetes.authorization.PathCheck";
const GROUP = "kubernetes.authorization.GroupCheck";
const RESOURCE = "kubernetes.authorization.ResourceCheck";
const DECISION = "kubernetes.authorization.Decision";

/** The type of the variable. */
export const authorizerType: ReturnType<typeof parseType> = parseType(AUTHORIZER);

interface Asking {
  readonly authorize: Authorize;
  readonly user: User;
  /** What the request is about; for `authorizer.requestResource`. */
  readonly target: Omit<ResourceAttributes, "verb" | "isResource">;
}

interface Check extends Asking {
  readonly action: Partial<ResourceAttributes> & { readonly path?: string };
}

/** The value of the variable for one request. */
export function authorizerOf(request: AdmissionRequest, authorize: Authorize): OpaqueValue {
  const { user, resource, subresource, namespace, name } = request;
  const { group, version, plural } = resource.definition;
  return opaque(AUTHORIZER, {
    authorize,
    user,
    target: { group, version, resource: plural, subresource, namespace, name },
  });
}

function opaque(type: string, data: unknown): OpaqueValue {
  return { kind: "opaque", type: parseType(type), data, text: type, equals: (other) => other.data === data };
}

function askingOf(value: Value | undefined): Asking {
  return (value as OpaqueValue).data as Asking;
}

function checkOf(value: Value | undefined): Check {
  return (value as OpaqueValue).data as Check;
}

function decisionOf(value: Value | undefined): AuthorizationDecision {
  return (value as OpaqueValue).data as AuthorizationDecision;
}

function narrow(type: string, value: Value | undefined, action: Check["action"]): OpaqueValue {
  const check = checkOf(value);
  return opaque(type, { ...check, action: { ...check.action, ...action } });
}

function decide(value: Value | undefined, verb: string): OpaqueValue {
  const { authorize, user, action } = checkOf(value);
  const asked: Action =
    action.path === undefined
      ? (resourceAction(user, { resource: "", ...action, verb }) as Action)
      : { isResource: false, verb, path: action.path };
  return opaque(DECISION, authorize({ user, ...asked }));
}

function asServiceAccount(value: Value | undefined, namespace: string, name: string): OpaqueValue {
  const user = {
    name: serviceAccountUserName({ namespace, name }),
    groups: [...serviceAccountGroups(namespace), "system:authenticated"],
  };
  return opaque(AUTHORIZER, { ...askingOf(value), user });
}

const text = (value: Value | undefined): string => String(value);

/** The functions. */
export const authorizerFunctions: readonly Declaration[] = [
  declare(`${AUTHORIZER}->path(string) ${PATH}`, ([self, path]) =>
    opaque(PATH, { ...askingOf(self), action: { path: text(path) } }),
  ),
  declare(`${AUTHORIZER}->group(string) ${GROUP}`, ([self, group]) =>
    opaque(GROUP, { ...askingOf(self), action: { group: text(group) } }),
  ),
  declare(`${AUTHORIZER}->serviceAccount(string, string) ${AUTHORIZER}`, ([self, namespace, name]) =>
    asServiceAccount(self, text(namespace), text(name)),
  ),
  declare(`${AUTHORIZER}->requestResource() ${RESOURCE}`, ([self]) =>
    opaque(RESOURCE, { ...askingOf(self), action: askingOf(self).target }),
  ),
  declare(`${GROUP}->resource(string) ${RESOURCE}`, ([self, resource]) =>
    narrow(RESOURCE, self, { resource: text(resource) }),
  ),
  declare(`${RESOURCE}->subresource(string) ${RESOURCE}`, ([self, value]) =>
    narrow(RESOURCE, self, { subresource: text(value) }),
  ),
  declare(`${RESOURCE}->namespace(string) ${RESOURCE}`, ([self, value]) =>
    narrow(RESOURCE, self, { namespace: text(value) }),
  ),
  declare(`${RESOURCE}->name(string) ${RESOURCE}`, ([self, value]) => narrow(RESOURCE, self, { name: text(value) })),
  // RBAC does not look at selectors, so they narrow nothing here either.
  declare(`${RESOURCE}->fieldSelector(string) ${RESOURCE}`, ([self]) => self ?? null),
  declare(`${RESOURCE}->labelSelector(string) ${RESOURCE}`, ([self]) => self ?? null),
  declare(
    `${RESOURCE}->check(string) ${DECISION}`,
    ([self, verb]) => decide(self, text(verb)),
    () => 350_000,
  ),
  declare(
    `${PATH}->check(string) ${DECISION}`,
    ([self, verb]) => decide(self, text(verb)),
    () => 350_000,
  ),
  declare(`${DECISION}->allowed() bool`, ([self]) => decisionOf(self).allowed),
  declare(`${DECISION}->reason() string`, ([self]) => decisionOf(self).reason),
  declare(`${DECISION}->errored() bool`, () => false),
  declare(`${DECISION}->error() string`, () => ""),
];
