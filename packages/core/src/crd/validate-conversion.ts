/** Conversion between versions of a CRD: its strategy and its webhook. Used by validate-crd.ts. */
import { validateDns1035Label, validateDnsSubdomain } from "../meta/names.ts";
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../protocol/field-error.ts";
import type { CrdConversionInput } from "./crd-input.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];

/** Errors of spec.conversion. Paths name the fields as kube-apiserver does: webhookClientConfig, not webhook. */
export function validateConversion(conversion: CrdConversionInput | undefined, path: string): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy = "", webhook } = conversion;
  if (strategy === "") return [fieldRequired(`${path}.strategy`), ...validateNoWebhook(webhook, path)];
  const known = strategy === "None" || strategy === "Webhook";
  return [
    ...(known ? [] : [fieldNotSupported(`${path}.strategy`, strategy, ["None", "Webhook"])]),
    ...(strategy === "Webhook" ? validateWebhook(webhook, path) : validateNoWebhook(webhook, path)),
  ];
}

function validateNoWebhook(webhook: CrdConversionInput["webhook"], path: string): FieldError[] {
  const detail = "should not be set when strategy is not set to Webhook";
  return [
    ...(webhook?.clientConfig === undefined ? [] : [fieldForbidden(`${path}.webhookClientConfig`, detail)]),
    ...((webhook?.conversionReviewVersions ?? []).length === 0
      ? []
      : [fieldForbidden(`${path}.conversionReviewVersions`, detail)]),
  ];
}

function validateWebhook(webhook: CrdConversionInput["webhook"], path: string): FieldError[] {
  return [
    ...validateClientConfig(webhook?.clientConfig, `${path}.webhookClientConfig`),
    ...validateReviewVersions(webhook?.conversionReviewVersions ?? [], `${path}.conversionReviewVersions`),
  ];
}

type ClientConfig = NonNullable<CrdConversionInput["webhook"]>["clientConfig"];

function validateClientConfig(config: ClientConfig, path: string): FieldError[] {
  if (config === undefined) return [fieldRequired(path, "required when strategy is set to Webhook")];
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    return [fieldRequired(path, "exactly one of url or service is required")];
  }
  return url === undefined ? validateService(service ?? {}, `${path}.service`) : validateUrl(url, `${path}.url`);
}

function validateUrl(text: string, field: string): FieldError[] {
  const form = "; desired format: https://host[/path]";
  const [, scheme = "", user, host = "", , query, fragment] =
    /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text) ?? [];
  return [
    ...(scheme.toLowerCase() === "https"
      ? []
      : [fieldInvalid(field, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === "" ? [fieldInvalid(field, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [fieldInvalid(field, user, "user information is not permitted in the URL")]),
    ...(fragment === undefined || fragment === ""
      ? []
      : [fieldInvalid(field, fragment, "fragments are not permitted in the URL")]),
    ...(query === undefined || query === ""
      ? []
      : [fieldInvalid(field, query, "query parameters are not permitted in the URL")]),
  ];
}

type Service = NonNullable<NonNullable<ClientConfig>["service"]>;

function validateService(service: Service, field: string): FieldError[] {
  const { name = "", namespace = "", path = "", port = 443 } = service;
  const portDetail = "port is not valid: must be between 1 and 65535, inclusive";
  return [
    // kube-apiserver passes name and namespace the other way round to the check, so the paths are swapped there too.
    ...(namespace === "" ? [fieldRequired(`${field}.name`)] : []),
    ...(name === "" ? [fieldRequired(`${field}.namespace`)] : []),
    ...(port >= 1 && port <= 65535 ? [] : [fieldInvalid(`${field}.port`, port, portDetail)]),
    ...validateServicePath(path, `${field}.path`),
  ];
}

function validateServicePath(path: string, field: string): FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [fieldInvalid(field, path, "segment[0] may not be empty")];
  const segments = path.slice(1).replace(/\/$/, "").split("/");
  return [
    ...(path.startsWith("/") ? [] : [fieldInvalid(field, path, "must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ""
        ? [fieldInvalid(field, path, `segment[${index}] may not be empty`)]
        : validateDnsSubdomain(segment).map((detail) => fieldInvalid(field, path, `segment[${index}]: ${detail}`)),
    ),
  ];
}

function validateReviewVersions(versions: readonly string[], field: string): FieldError[] {
  if (versions.length === 0) return [fieldRequired(field)];
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [fieldInvalid(`${field}[${index}]`, version, "duplicate version")]
      : validateDns1035Label(version).map((detail) => fieldInvalid(`${field}[${index}]`, version, detail)),
  );
  const accepted = versions.some((version) => REVIEW_VERSIONS.includes(version));
  const detail = `must include at least one of ${REVIEW_VERSIONS.join(", ")}`;
  return accepted ? errors : [...errors, fieldInvalid(field, versions, detail)];
}
