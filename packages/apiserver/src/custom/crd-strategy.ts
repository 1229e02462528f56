/**
 * The strategy of CustomResourceDefinitions. Names are accepted, or not, in the write itself, so that a stored CRD is
 * served at once: there is no controller in between that clients would have to wait for.
 */
import { isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import type { Crd, CrdNames } from "@kubewright/core/schema";
import { type ApiObject, withFields, withMetadata } from "../resource/object.ts";
import type { ObjectReader, Strategy, StrategyContext } from "../resource/strategy.ts";
import { loadCrdValidation, validateCrdObject, warnAboutCrd } from "./crd-validation.ts";

/** Keeps a CRD until its objects are gone. */
export const CRD_CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

/** Where conversion webhooks listen unless told otherwise. */
const WEBHOOK_PORT = 443;

/** How CRDs are stored. */
export const crdStrategy: Strategy = {
  load: loadCrdValidation,
  unconditionalUpdate: false,
  generation: true,
  applyDefaults: defaultCrd,
  prepareForCreate: (object, context) => acceptNames(withFinalizer(withFields(object, { status: {} })), context),
  prepareForUpdate: (next, _current, context) => (context.subresource === "status" ? next : acceptNames(next, context)),
  validate: validateCrdObject,
  warnings: warnAboutCrd,
  nameErrors: () => [], // The name is checked with the names in the spec.
};

function defaultCrd(object: ApiObject): ApiObject {
  const { spec } = object;
  if (!isJsonObject(spec)) return object;
  const names = isJsonObject(spec["names"]) ? spec["names"] : {};
  const kind = typeof names["kind"] === "string" ? names["kind"] : "";
  const singular = names["singular"] ?? kind.toLowerCase();
  const listKind = names["listKind"] ?? (kind === "" ? undefined : `${kind}List`);
  const filled = {
    ...spec,
    names: { ...names, singular, listKind },
    conversion: withServicePort(spec["conversion"] ?? { strategy: "None" }),
  };
  return withFields(object, { spec: filled });
}

function withServicePort(conversion: Json): Json {
  const webhook = isJsonObject(conversion) ? conversion["webhook"] : undefined;
  const clientConfig = isJsonObject(webhook) ? webhook["clientConfig"] : undefined;
  const service = isJsonObject(clientConfig) ? clientConfig["service"] : undefined;
  if (!isJsonObject(conversion) || !isJsonObject(webhook) || !isJsonObject(clientConfig)) return conversion;
  if (!isJsonObject(service) || service["port"] !== undefined) return conversion;
  const withPort = { ...clientConfig, service: { ...service, port: WEBHOOK_PORT } };
  return { ...conversion, webhook: { ...webhook, clientConfig: withPort } };
}

function withFinalizer(object: ApiObject): ApiObject {
  const { finalizers = [] } = object.metadata;
  return finalizers.includes(CRD_CLEANUP_FINALIZER)
    ? object
    : withMetadata(object, { finalizers: [...finalizers, CRD_CLEANUP_FINALIZER] });
}

/** Sets what the names of the CRD come to: the conditions, the accepted names, the stored versions. */
function acceptNames(object: ApiObject, context: StrategyContext): ApiObject {
  const crd = object as unknown as Crd;
  const status = isJsonObject(object["status"]) ? object["status"] : {};
  const conflict = nameConflict(crd, context.reader);
  const accepted = conditionsOf(conflict, status, context.time);
  const stored = Array.isArray(status["storedVersions"]) ? (status["storedVersions"] as string[]) : [];
  const storage = crd.spec?.versions?.find((version) => version.storage)?.name;
  const storedVersions = storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
  const acceptedNames = conflict === undefined ? (crd.spec?.names as unknown as JsonObject) : { plural: "", kind: "" };
  return withFields(object, { status: { ...status, conditions: accepted, acceptedNames, storedVersions } });
}

interface NameConflict {
  readonly reason: string;
  readonly name: string;
}

/** The first name that another CRD of the group has. */
function nameConflict({ metadata, spec }: Crd, reader: ObjectReader): NameConflict | undefined {
  const others = (
    reader.list("customresourcedefinitions.apiextensions.k8s.io", "") as unknown as readonly Crd[]
  ).filter((other) => other.spec.group === spec.group && other.metadata.name !== metadata.name);
  const plurals = new Set(others.flatMap(({ spec: { names } }) => resourceNames(names)));
  const kinds = new Set(others.flatMap(({ spec: { names } }) => [names.kind, names.listKind ?? `${names.kind}List`]));
  const { plural, singular = "", shortNames = [], kind, listKind = "" } = spec.names;
  const claims: readonly (readonly [reason: string, name: string, taken: ReadonlySet<string>])[] = [
    ["PluralConflict", plural, plurals],
    ["SingularConflict", singular, plurals],
    ...shortNames.map((name) => ["ShortNamesConflict", name, plurals] as const),
    ["KindConflict", kind, kinds],
    ["ListKindConflict", listKind, kinds],
  ];
  const claim = claims.find(([, name, taken]) => taken.has(name));
  return claim === undefined ? undefined : { reason: claim[0], name: claim[1] };
}

function resourceNames({ plural, kind, singular = kind.toLowerCase(), shortNames = [] }: CrdNames): string[] {
  return [plural, singular, ...shortNames];
}

function conditionsOf(conflict: NameConflict | undefined, status: JsonObject, time: string): JsonObject[] {
  const before = (Array.isArray(status["conditions"]) ? status["conditions"] : []) as JsonObject[];
  const wanted: JsonObject[] =
    conflict === undefined
      ? [
          condition("NamesAccepted", "True", ["NoConflicts", "no conflicts found"]),
          condition("Established", "True", ["InitialNamesAccepted", "the initial names have been accepted"]),
        ]
      : [
          condition("NamesAccepted", "False", [conflict.reason, `${JSON.stringify(conflict.name)} is already in use`]),
          ...(isSet(before, "Established")
            ? []
            : [condition("Established", "False", ["NotAccepted", "not all names are accepted"])]),
        ];
  const types = new Set(wanted.map((item) => item["type"]));
  const merged = wanted.map((item) => keepTransition(before, item, time));
  return [...merged, ...before.filter((item) => !types.has(item["type"]))];
}

/** A status with a condition set; its time is that of its last change. */
export function withCondition(status: JsonObject, item: JsonObject, time: string): JsonObject {
  const before = (Array.isArray(status["conditions"]) ? status["conditions"] : []) as JsonObject[];
  const others = before.filter((other) => other["type"] !== item["type"]);
  return { ...status, conditions: [...others, keepTransition(before, item, time)] };
}

function condition(type: string, status: string, [reason, message]: readonly [string, string]): JsonObject {
  return { type, status, reason, message };
}

function isSet(conditions: readonly JsonObject[], type: string): boolean {
  return conditions.some((item) => item["type"] === type && item["status"] === "True");
}

/** The time of a condition is that of its last change of status. */
function keepTransition(before: readonly JsonObject[], item: JsonObject, time: string): JsonObject {
  const same = before.find((other) => other["type"] === item["type"] && other["status"] === item["status"]);
  return { ...item, lastTransitionTime: same?.["lastTransitionTime"] ?? time };
}
