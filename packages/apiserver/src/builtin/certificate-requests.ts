/** CertificateSigningRequests: who asks is told by the request, approval and certificate have endpoints of their own. */
import type { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import { deepEqual, type JsonObject, validateDnsSubdomain } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "@kubewright/core/protocol";
import { type ApiObject, withFields } from "../resource/object.ts";
import type { StrategyContext } from "../resource/strategy.ts";
import { objectOf, objectsOf } from "./defaults/fill.ts";
import type { KindParticulars } from "./kind-strategy.ts";

const APPROVALS = ["Approved", "Denied"];
const EXPIRATION_SECONDS_MIN = 600;
const PEM_START = "-----BEGIN CERTIFICATE REQUEST-----";

/** What is particular to CertificateSigningRequests. */
export const certificateRequestParticulars: KindParticulars = {
  selectableFields: { "spec.signerName": (object) => requestOf(object).spec?.signerName ?? "" },
  prepareForCreate: (object, { user }) => {
    const extra = user.extra ?? {};
    const spec: JsonObject = {
      ...objectOf(object["spec"]),
      username: user.name,
      uid: user.uid ?? "",
      groups: [...user.groups],
      extra: Object.keys(extra).length === 0 ? undefined : (extra as JsonObject),
    };
    return withFields(object, { spec, status: {} });
  },
  prepareForUpdate: prepareRequestUpdate,
  validate: (object, current, { subresource }) => {
    const errors = [...validateSpec(requestOf(object)), ...validateConditions(requestOf(object))];
    if (current === undefined) return errors;
    return [...errors, ...validateChange(object, current, subresource)];
  },
};

function requestOf(object: ApiObject): CertificateSigningRequest {
  return object as unknown as CertificateSigningRequest;
}

/** The spec never changes; the approval endpoint changes conditions alone, the status endpoint all but approvals. */
function prepareRequestUpdate(next: ApiObject, current: ApiObject, { subresource, time }: StrategyContext): ApiObject {
  const before = objectOf(current["status"]);
  const after = objectOf(next["status"]);
  const spec = current["spec"];
  if (subresource === undefined) return withFields(next, { spec, status: before });
  const conditions = objectsOf(after["conditions"]).map((condition) => stamped(condition, before, time));
  const status = {
    ...(subresource === "approval" ? before : after),
    ...(after["conditions"] !== undefined && { conditions }),
  };
  return withFields(next, { spec, status });
}

/** New conditions get their times from the server when they have none. */
function stamped(condition: JsonObject, before: JsonObject, time: string): JsonObject {
  const same = objectsOf(before["conditions"]).find(
    ({ type, status }) => type === condition["type"] && status === condition["status"],
  );
  return {
    ...condition,
    lastUpdateTime: condition["lastUpdateTime"] ?? time,
    lastTransitionTime: condition["lastTransitionTime"] ?? same?.["lastTransitionTime"] ?? time,
  };
}

function validateSpec({ spec }: CertificateSigningRequest): FieldError[] {
  const { request = "", usages = [], signerName = "", expirationSeconds } = spec ?? {};
  const pem = Buffer.from(request, "base64").toString("utf8");
  return [
    ...(pem.includes(PEM_START)
      ? []
      : [fieldInvalid("spec.request", request, "PEM block type must be CERTIFICATE REQUEST")]),
    ...(usages.length === 0 ? [fieldRequired("spec.usages")] : []),
    ...usages.flatMap((usage, index) =>
      usages.indexOf(usage) < index ? [fieldDuplicate(`spec.usages[${index}]`, usage)] : [],
    ),
    ...validateSigner("spec.signerName", signerName),
    ...(expirationSeconds !== undefined && expirationSeconds < EXPIRATION_SECONDS_MIN
      ? [
          fieldInvalid(
            "spec.expirationSeconds",
            expirationSeconds,
            "may not specify a duration less than 600 seconds (10 minutes)",
          ),
        ]
      : []),
  ];
}

function validateSigner(field: string, name: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  const [domain = "", path = "", ...rest] = name.split("/");
  if (path === "" || rest.length > 0) {
    return [
      fieldInvalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  }
  const errors = validateDnsSubdomain(domain).map((text) => fieldInvalid(field, domain, text));
  if (errors.length > 0 || domain.includes(".")) return errors;
  return [fieldInvalid(field, domain, "should be a domain with at least two segments separated by dots")];
}

function validateConditions({ status }: CertificateSigningRequest): FieldError[] {
  const conditions = status?.conditions ?? [];
  const types = conditions.map(({ type }) => type);
  const last = types.findLast((type) => APPROVALS.includes(type)) ?? "";
  return [
    ...conditions.flatMap(({ type }, index) => {
      const at = `status.conditions[${index}].type`;
      if (type === "") return [fieldRequired(at)];
      return types.indexOf(type) < index ? [fieldDuplicate(at, type)] : [];
    }),
    ...(APPROVALS.every((type) => types.includes(type))
      ? [fieldInvalid("status.conditions", last, "Approved and Denied conditions are mutually exclusive")]
      : []),
  ];
}

function validateChange(next: ApiObject, current: ApiObject, subresource: string | undefined): FieldError[] {
  const conditionsOf = (object: ApiObject, type: string) =>
    (requestOf(object).status?.conditions ?? []).filter((condition) => condition.type === type);
  const removed = [...APPROVALS, "Failed"]
    .filter((type) => conditionsOf(next, type).length < conditionsOf(current, type).length)
    .map((type) =>
      fieldForbidden("status.conditions", `updates may not remove a condition of type ${JSON.stringify(type)}`),
    );
  const changed =
    subresource === "approval"
      ? []
      : APPROVALS.filter(
          (type) =>
            conditionsOf(next, type).length >= conditionsOf(current, type).length &&
            !deepEqual(conditionsOf(next, type), conditionsOf(current, type)),
        ).map((type) => {
          const verb = conditionsOf(next, type).length > conditionsOf(current, type).length ? "add" : "modify";
          return fieldForbidden(
            "status.conditions",
            `updates may not ${verb} a condition of type ${JSON.stringify(type)}`,
          );
        });
  const [before, after] = [requestOf(current).status?.certificate, requestOf(next).status?.certificate];
  const isReplaced = subresource === "status" && (before ?? "") !== "" && before !== after;
  return [
    ...removed,
    ...changed,
    ...(isReplaced
      ? [fieldForbidden("status.certificate", "updates may not modify existing certificate content")]
      : []),
  ];
}
