/**
 * What becomes of a stored default role or binding when a server starts: what the default has and the stored one lacks is
 * added, what a user added stays. One whose annotation says that it must not be updated is left alone. As kube-apiserver does.
 */
import { deepEqual, type Json, type JsonObject, type MutableJsonObject } from "@kubewright/core/meta";
import { type PolicyRule, uncoveredRules } from "../auth/rbac/policy-rule.ts";
import { type ApiObject, withFields, withMetadata } from "../resource/object.ts";

const AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

type Fields = ApiObject & {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly JsonObject[] };
  readonly rules?: readonly PolicyRule[] | null;
  readonly subjects?: readonly JsonObject[];
};

/** `stored` with all that `wanted` has; the same object when nothing is missing. */
export function reconcileDefault(stored: ApiObject, wanted: ApiObject): ApiObject {
  if (stored.metadata.annotations?.[AUTOUPDATE] === "false") return stored;
  const changes = fieldsToAdd(stored as Fields, wanted as Fields);
  const labels = { ...stored.metadata.labels, ...wanted.metadata.labels };
  const annotations = { ...wanted.metadata.annotations, ...stored.metadata.annotations };
  const isSaid = deepEqual(labels, stored.metadata.labels) && deepEqual(annotations, stored.metadata.annotations);
  if (isSaid && Object.keys(changes).length === 0) return stored;
  return withFields(withMetadata(stored, { labels, annotations }), changes);
}

function fieldsToAdd(stored: Fields, wanted: Fields): JsonObject {
  const changes: MutableJsonObject = {};
  const selectors = added(stored.aggregationRule?.clusterRoleSelectors, wanted.aggregationRule?.clusterRoleSelectors);
  if (selectors !== undefined)
    changes["aggregationRule"] = { ...stored.aggregationRule, clusterRoleSelectors: selectors };
  // The rules of an aggregated role are those of others.
  const missing = wanted.aggregationRule === undefined ? uncoveredRules(stored.rules ?? [], wanted.rules ?? []) : [];
  if (missing.length > 0) changes["rules"] = [...(stored.rules ?? []), ...missing] as unknown as Json;
  const subjects = added(stored.subjects, wanted.subjects);
  if (subjects !== undefined) changes["subjects"] = subjects;
  return changes;
}

/** Both lists joined; undefined when the first has all of the second. */
function added(stored: readonly JsonObject[] = [], wanted: readonly JsonObject[] = []): JsonObject[] | undefined {
  const missing = wanted.filter((item) => !stored.some((each) => deepEqual(each, item)));
  return missing.length === 0 ? undefined : [...stored, ...missing];
}
