/** Configurations of admission webhooks, and the policies that stand beside them. */
import type {
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "@kubewright/api/admissionregistration/v1";
import { validateDns1035Label, validateDnsSubdomain } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { asJson, validateRequired } from "./validation/fields.ts";
import { validateLabelSelector } from "./validation/label-selectors.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const URL_FORM = "; desired format: https://host[/path]";

/** What is particular to both kinds of webhook configurations. */
export const webhookParticulars: KindParticulars = {
  generation: true,
  unconditionalUpdate: false,
  validate: (object) => {
    const { webhooks = [] } = object as unknown as ValidatingWebhookConfiguration;
    const names = new Set<string>();
    return webhooks.flatMap((webhook, index) => {
      const at = `webhooks[${index}]`;
      const isRepeated = names.has(webhook.name);
      names.add(webhook.name);
      return [
        ...validateWebhook(at, webhook),
        ...validateVersions(`${at}.admissionReviewVersions`, webhook.admissionReviewVersions ?? []),
        ...(isRepeated ? [fieldDuplicate(`${at}.name`, webhook.name)] : []),
      ];
    });
  },
};

function validateWebhook(at: string, webhook: ValidatingWebhook): FieldError[] {
  const { sideEffects, timeoutSeconds = 10, rules = [] } = webhook;
  return [
    ...validateName(`${at}.name`, webhook.name ?? ""),
    ...rules.flatMap((rule, index) => validateRule(`${at}.rules[${index}]`, rule)),
    ...(sideEffects === undefined
      ? [fieldRequired(`${at}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(", ")}`)]
      : []),
    ...(sideEffects !== undefined && !SIDE_EFFECTS.includes(sideEffects)
      ? [fieldNotSupported(`${at}.sideEffects`, sideEffects, SIDE_EFFECTS)]
      : []),
    ...(timeoutSeconds < 1 || timeoutSeconds > 30
      ? [fieldInvalid(`${at}.timeoutSeconds`, timeoutSeconds, "the timeout value must be between 1 and 30 seconds")]
      : []),
    ...validateLabelSelector(`${at}.namespaceSelector`, webhook.namespaceSelector),
    ...validateLabelSelector(`${at}.objectSelector`, webhook.objectSelector),
    ...validateClient(`${at}.clientConfig`, webhook.clientConfig ?? {}),
  ];
}

function validateName(field: string, name: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  const errors = validateDnsSubdomain(name).map((text) => fieldInvalid(field, name, text));
  if (errors.length > 0 || name.split(".").length >= 3) return errors;
  return [fieldInvalid(field, name, "should be a domain with at least three segments separated by dots")];
}

/** A rule that says which requests are meant. */
export function validateRule(at: string, rule: RuleWithOperations): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [] } = rule;
  const lists = { apiGroups, apiVersions, resources };
  return [
    ...(operations.length === 0 ? [fieldRequired(`${at}.operations`)] : []),
    ...operations.flatMap((operation, index) =>
      OPERATIONS.includes(operation) ? [] : [fieldNotSupported(`${at}.operations[${index}]`, operation, OPERATIONS)],
    ),
    ...(operations.length > 1 && (operations as readonly string[]).includes("*")
      ? [fieldInvalid(`${at}.operations`, [...operations], "if '*' is present, must not specify other operations")]
      : []),
    ...Object.entries(lists).flatMap(([name, values]) => (values.length === 0 ? [fieldRequired(`${at}.${name}`)] : [])),
    ...(apiGroups.length > 1 && apiGroups.includes("*")
      ? [fieldInvalid(`${at}.apiGroups`, [...apiGroups], "if '*' is present, must not specify other API groups")]
      : []),
    ...(apiVersions.length > 1 && apiVersions.includes("*")
      ? [fieldInvalid(`${at}.apiVersions`, [...apiVersions], "if '*' is present, must not specify other API versions")]
      : []),
    ...apiVersions.flatMap((version, index) => (version === "" ? [fieldRequired(`${at}.apiVersions[${index}]`)] : [])),
    ...validateResources(`${at}.resources`, resources),
  ];
}

/** A resource that an earlier one stands for is named in vain. Of those without a subresource Kubernetes looks at the last. */
function validateResources(field: string, resources: readonly string[]): FieldError[] {
  const whole = resources.filter((resource) => resource !== "" && !resource.includes("/"));
  return [
    ...resources.flatMap((resource, index) =>
      resource === ""
        ? [fieldRequired(`${field}[${index}]`)]
        : wildcardsOf(resource)
            .filter((wildcard) => resources.slice(0, index).includes(wildcard))
            .map((wildcard) =>
              fieldInvalid(`${field}[${index}]`, resource, `if '${wildcard}' is present, must not specify ${resource}`),
            ),
    ),
    ...(resources.length > 1 && resources.includes("*/*")
      ? [fieldInvalid(field, [...resources], "if '*/*' is present, must not specify other resources")]
      : []),
    ...(whole.includes("*") && whole.at(-1) !== "*"
      ? [
          fieldInvalid(
            field,
            [...resources],
            "if '*' is present, must not specify other resources without subresources",
          ),
        ]
      : []),
  ];
}

/** What stands for a subresource: all of its resource's, and those of its name of all resources. */
function wildcardsOf(resource: string): readonly string[] {
  const slash = resource.indexOf("/");
  return slash < 0 ? [] : [`${resource.slice(0, slash)}/*`, `*${resource.slice(slash)}`];
}

function validateVersions(field: string, versions: readonly string[]): FieldError[] {
  const known = REVIEW_VERSIONS.join(", ");
  if (versions.length === 0) return [fieldRequired(field, `must specify one of ${known}`)];
  return [
    ...versions.flatMap((version, index) => [
      ...(versions.indexOf(version) < index ? [fieldInvalid(`${field}[${index}]`, version, "duplicate version")] : []),
      ...validateDns1035Label(version).map((text) => fieldInvalid(`${field}[${index}]`, version, text)),
    ]),
    ...(versions.some((version) => REVIEW_VERSIONS.includes(version))
      ? []
      : [fieldInvalid(field, [...versions], `must include at least one of ${known}`)]),
  ];
}

function validateClient(field: string, { url, service }: WebhookClientConfig): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [fieldRequired(field, "exactly one of url or service is required")];
  }
  if (url !== undefined) return validateUrl(`${field}.url`, url);
  return [
    ...validateRequired(`${field}.service.name`, service?.name),
    ...validateRequired(`${field}.service.namespace`, service?.namespace),
  ];
}

function validateUrl(field: string, text: string): FieldError[] {
  const url = URL.parse(text);
  if (url === null) return [fieldRequired(field, `url must be a valid URL: parse ${JSON.stringify(text)}${URL_FORM}`)];
  const scheme = url.protocol.slice(0, -1);
  return [
    ...(scheme === "https" ? [] : [fieldInvalid(field, scheme, `'https' is the only allowed URL scheme${URL_FORM}`)]),
    ...(url.host === "" ? [fieldInvalid(field, "", `host must be specified${URL_FORM}`)] : []),
    ...(url.username === ""
      ? []
      : [fieldInvalid(field, asJson(url.username), "user information is not permitted in the URL")]),
    ...(url.hash === "" ? [] : [fieldInvalid(field, url.hash.slice(1), "fragments are not permitted in the URL")]),
    ...(url.search === ""
      ? []
      : [fieldInvalid(field, url.search.slice(1), "query parameters are not permitted in the URL")]),
  ];
}
