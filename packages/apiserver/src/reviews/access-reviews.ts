/**
 * "May I?" and "may they?": SelfSubjectAccessReview, SubjectAccessReview, LocalSubjectAccessReview and
 * SelfSubjectRulesReview, answered by the same authorizer that requests go through.
 */
import { getKey, isJsonObject, type JsonObject } from "@kubewright/core/meta";
import { badRequest, type FieldError, fieldInvalid, fieldRequired, invalidError } from "@kubewright/core/protocol";
import type { Auth } from "../auth/auth.ts";
import { type Action, type AuthorizationAttributes, type Authorize, PRIVILEGED_GROUP } from "../auth/authorization.ts";
import type { PolicyRule } from "../auth/rbac/policy-rule.ts";
import type { Endpoint } from "../endpoints/call.ts";
import type { User } from "../request/user.ts";
import { type ApiObject, withFields } from "../resource/object.ts";
import { type ReviewAnswer, reviewEndpoint, specOf, textAt, textsAt, withStatus } from "./review.ts";

const GROUP = "authorization.k8s.io";

/** The endpoints of the access reviews. */
export function accessReviewEndpoints({ authorize, rules }: Pick<Auth, "authorize" | "rules">): [string, Endpoint][] {
  const create = (resource: string, answer: ReviewAnswer): [string, Endpoint] => [
    `create ${resource}.${GROUP}`,
    reviewEndpoint(answer),
  ];
  return [
    create("selfsubjectaccessreviews", answerSelf(authorize)),
    create("subjectaccessreviews", answerSubject(authorize, validateSubject)),
    create("localsubjectaccessreviews", answerSubject(authorize, validateLocal)),
    create("selfsubjectrulesreviews", answerRules(rules)),
  ];
}

function answerSelf(authorize: Authorize): ReviewAnswer {
  return async (review, { request }, admit) => {
    requireValid([...validateAttributes(specOf(review)), ...validateMetadata(review)]);
    await admit(review);
    return withDecision(review, authorize, { user: request.user, ...actionOf(specOf(review)) });
  };
}

function answerSubject(authorize: Authorize, validate: (review: ApiObject) => readonly FieldError[]): ReviewAnswer {
  return async (review, _call, admit) => {
    requireValid(validate(review));
    await admit(review);
    const spec = specOf(review);
    return withDecision(review, authorize, { user: userOf(spec), ...actionOf(spec) });
  };
}

function withDecision(review: ApiObject, authorize: Authorize, attributes: AuthorizationAttributes): ApiObject {
  const { allowed, reason } = authorize(attributes);
  return withStatus(review, { allowed, ...(reason === "" ? {} : { reason }) });
}

function answerRules(index: Auth["rules"]): ReviewAnswer {
  return async (review, { request: { user } }, admit) => {
    const namespace = textAt(specOf(review), "namespace");
    if (namespace === "") throw badRequest("no namespace on request");
    await admit(review);
    const grants = [...index.grantsOf(user, namespace)];
    const missing = new Set(grants.flatMap((grant) => (grant.rule === undefined ? [grant.missing] : [])));
    const rules = grants.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
    return withStatus(withFields(review, { spec: {} }), {
      resourceRules: [...privilegedRules(user), ...rules].filter(hasResources).map(resourceRule),
      nonResourceRules: rules.filter(hasPaths).map(pathRule),
      incomplete: false,
      ...(missing.size === 0 ? {} : { evaluationError: [...missing].join(", ") }),
    });
  };
}

/** Members of system:masters have their rights from no role; the answer says what they may all the same. */
function privilegedRules({ groups }: User): readonly PolicyRule[] {
  return groups.includes(PRIVILEGED_GROUP) ? [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }] : [];
}

function hasResources({ resources = [] }: PolicyRule): boolean {
  return resources.length > 0;
}

function hasPaths({ nonResourceURLs = [] }: PolicyRule): boolean {
  return nonResourceURLs.length > 0;
}

function resourceRule({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): JsonObject {
  return { verbs, apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }) };
}

function pathRule({ verbs = [], nonResourceURLs = [] }: PolicyRule): JsonObject {
  return { verbs, nonResourceURLs };
}

function attributesAt(spec: JsonObject, key: string): JsonObject | undefined {
  const value = getKey(spec, key);
  return isJsonObject(value) ? value : undefined;
}

function actionOf(spec: JsonObject): Action {
  const resource = attributesAt(spec, "resourceAttributes");
  if (resource === undefined) {
    const other = attributesAt(spec, "nonResourceAttributes") ?? {};
    return { isResource: false, verb: textAt(other, "verb"), path: textAt(other, "path") };
  }
  return {
    isResource: true,
    verb: textAt(resource, "verb"),
    group: textAt(resource, "group"),
    version: textAt(resource, "version"),
    namespace: textAt(resource, "namespace"),
    resource: textAt(resource, "resource"),
    subresource: textAt(resource, "subresource"),
    name: textAt(resource, "name"),
  };
}

function userOf(spec: JsonObject): User {
  const extra = attributesAt(spec, "extra") ?? {};
  return {
    name: textAt(spec, "user"),
    uid: textAt(spec, "uid"),
    groups: textsAt(spec, "groups"),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key.toLowerCase(), textsAt(extra, key)])),
  };
}

/** Kubernetes names the group of a review that is wrong, and not its kind. */
function requireValid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ group: GROUP, kind: "", name: "" }, errors);
}

function validateSubject(review: ApiObject): readonly FieldError[] {
  return [...validateAttributes(specOf(review)), ...validateUser(specOf(review)), ...validateMetadata(review)];
}

function validateLocal(review: ApiObject): readonly FieldError[] {
  const spec = specOf(review);
  const { namespace = "" } = review.metadata;
  const resource = attributesAt(spec, "resourceAttributes");
  const other = attributesAt(spec, "nonResourceAttributes");
  const given = resource === undefined ? namespace : textAt(resource, "namespace");
  return [
    ...validateAttributes(spec),
    ...validateUser(spec),
    ...(given === namespace
      ? []
      : [fieldInvalid("spec.resourceAttributes.namespace", given, "must match metadata.namespace")]),
    ...(other === undefined ? [] : [invalidPath(other, "disallowed on this kind of request")]),
  ];
}

function validateAttributes(spec: JsonObject): readonly FieldError[] {
  const resource = attributesAt(spec, "resourceAttributes");
  const other = attributesAt(spec, "nonResourceAttributes");
  if (resource !== undefined && other !== undefined) {
    const detail = "cannot be specified in combination with resourceAttributes";
    return [invalidPath(other, detail)];
  }
  if (resource !== undefined)
    return [...validateSelector(resource, "fieldSelector"), ...validateSelector(resource, "labelSelector")];
  if (other !== undefined) return [];
  const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [fieldInvalid("spec.resourceAttributes", null, detail)];
}

function invalidPath(attributes: JsonObject, detail: string): FieldError {
  const shown = { Path: textAt(attributes, "path"), Verb: textAt(attributes, "verb") };
  return fieldInvalid("spec.nonResourceAttributes", shown, detail);
}

/** A selector is written in one of two ways. */
function validateSelector(attributes: JsonObject, key: string): readonly FieldError[] {
  const selector = attributesAt(attributes, key);
  if (selector === undefined) return [];
  const at = `spec.resourceAttributes.${key}`;
  const raw = textAt(selector, "rawSelector");
  const { requirements } = selector;
  const hasRequirements = Array.isArray(requirements) && requirements.length > 0;
  if (raw !== "" && hasRequirements) {
    return [fieldInvalid(`${at}.rawSelector`, raw, "may not specified at the same time as requirements")];
  }
  if (raw !== "" || hasRequirements) return [];
  return [fieldRequired(`${at}.requirements`, `when ${at} is specified, requirements or rawSelector is required`)];
}

function validateUser(spec: JsonObject): readonly FieldError[] {
  if (textAt(spec, "user") !== "" || textsAt(spec, "groups").length > 0) return [];
  return [fieldInvalid("spec.user", "", "at least one of user or group must be specified")];
}

function validateMetadata({ metadata }: ApiObject): readonly FieldError[] {
  const { managedFields: _, creationTimestamp: __, ...rest } = metadata;
  return Object.values(rest).every(isZero) ? [] : [fieldInvalid("metadata", metadata, "must be empty")];
}

/** Bodies in protobuf name every field, those that nobody set with their zero. */
function isZero(value: unknown): boolean {
  return value === "" || value === 0 || value === null || value === undefined;
}
