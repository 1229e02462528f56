/** ConfigMaps and Secrets: keys, sizes, types, and that immutable ones stay as they are. */
import type { ConfigMap, Secret } from "@kubewright/api/core/v1";
import { deepEqual, isJsonObject, isMalformed, parseJson, utf8Length, validateConfigKey } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired, fieldTooLong } from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { asJson, sortedEntries, validateImmutable } from "./validation/fields.ts";

const BYTES_MAX = 1024 * 1024;
const SERVICE_ACCOUNT_ANNOTATION = "kubernetes.io/service-account.name";

/** What is particular to ConfigMaps. */
export const configMapParticulars: KindParticulars = {
  validate: (object, current) => {
    const configMap = object as unknown as ConfigMap;
    return [
      ...validateFrozen(configMap, current as unknown as ConfigMap | undefined, ["data", "binaryData"]),
      ...validateConfigMap(configMap),
    ];
  },
};

/** What is particular to Secrets. */
export const secretParticulars: KindParticulars = {
  selectableFields: { type: (object) => (object as unknown as Secret).type ?? "" },
  validate: (object, current) => {
    const secret = object as unknown as Secret;
    const before = current as unknown as Secret | undefined;
    return [
      ...(before === undefined ? [] : validateImmutable("type", secret.type, before.type)),
      ...validateFrozen(secret, before, ["data"]),
      ...validateSecret(secret),
    ];
  },
};

type Frozen = ConfigMap & Secret;

function validateFrozen<Kind extends ConfigMap | Secret>(
  next: Kind,
  current: Kind | undefined,
  fields: readonly ("data" | "binaryData")[],
): FieldError[] {
  if (current?.immutable !== true) return [];
  const detail = "field is immutable when `immutable` is set";
  return [
    ...(next.immutable === true ? [] : [fieldForbidden("immutable", detail)]),
    ...fields
      .filter((name) => !deepEqual(asJson((next as Frozen)[name]), asJson((current as Frozen)[name])))
      .map((name) => fieldForbidden(name, detail)),
  ];
}

function validateConfigMap({ data, binaryData }: ConfigMap): FieldError[] {
  const entries = sortedEntries(data);
  const binaryEntries = sortedEntries(binaryData);
  const bytes =
    entries.reduce((sum, [, value]) => sum + utf8Length(value), 0) +
    binaryEntries.reduce((sum, [, value]) => sum + decodedLength(value), 0);
  return [
    ...entries.flatMap(([key]) => [
      ...validateKey("data", key),
      ...(Object.hasOwn(binaryData ?? {}, key)
        ? [fieldInvalid(`data[${key}]`, key, "duplicate of key present in binaryData")]
        : []),
    ]),
    ...binaryEntries.flatMap(([key]) => validateKey("binaryData", key)),
    ...(bytes > BYTES_MAX ? [fieldTooLong("", BYTES_MAX)] : []),
  ];
}

function validateSecret(secret: Secret): FieldError[] {
  const entries = sortedEntries(secret.data);
  const bytes = entries.reduce((sum, [, value]) => sum + decodedLength(value), 0);
  return [
    ...entries.flatMap(([key]) => validateKey("data", key)),
    ...(bytes > BYTES_MAX ? [fieldTooLong("data", BYTES_MAX)] : []),
    ...validateType(secret),
  ];
}

function validateType({ type, data = {}, metadata }: Secret): FieldError[] {
  const require = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => fieldRequired(`data[${key}]`));
  switch (type) {
    case "kubernetes.io/service-account-token":
      return (metadata?.annotations?.[SERVICE_ACCOUNT_ANNOTATION] ?? "") === ""
        ? [fieldRequired(`metadata.annotations[${SERVICE_ACCOUNT_ANNOTATION}]`)]
        : [];
    case "kubernetes.io/dockercfg":
      return validateDockerConfig(".dockercfg", data);
    case "kubernetes.io/dockerconfigjson":
      return validateDockerConfig(".dockerconfigjson", data);
    case "kubernetes.io/basic-auth": {
      const missing = require("username", "password");
      return missing.length === 2 ? missing : [];
    }
    case "kubernetes.io/ssh-auth":
      return (data["ssh-privatekey"] ?? "") === "" ? [fieldRequired("data[ssh-privatekey]")] : [];
    case "kubernetes.io/tls":
      return require("tls.crt", "tls.key");
    default:
      return [];
  }
}

function validateDockerConfig(key: string, data: Readonly<Record<string, string>>): FieldError[] {
  const content = data[key];
  if (content === undefined) return [fieldRequired(`data[${key}]`)];
  try {
    if (isJsonObject(parseJson(Buffer.from(content, "base64")))) return [];
    return [fieldInvalid(`data[${key}]`, "<secret contents redacted>", "json: cannot unmarshal into an object")];
  } catch (error) {
    if (!isMalformed(error)) throw error;
    return [fieldInvalid(`data[${key}]`, "<secret contents redacted>", error.message)];
  }
}

function validateKey(field: string, key: string): FieldError[] {
  return validateConfigKey(key).map((text) => fieldInvalid(`${field}[${key}]`, key, text));
}

/** How many bytes base64 text stands for. */
function decodedLength(text: string): number {
  return Buffer.byteLength(text, "base64");
}
