/**
 * Makes log fields printable: secrets are masked by the names they go by, Secret objects lose their data, errors become
 * their parts, and depth, length and cycles are bounded. The fields given are not changed.
 */
import { isJsonObject, type JsonObject } from "@kubewright/core/meta";
import type { LogFields } from "@kubewright/core/ports";

/** What stands in the place of a secret. */
const MASK = "[redacted]";

const SECRET_NAME =
  /^(?:.*(?:password|passwd|passphrase|secret|token|credential|authorization|cookie|apikey|privatekey|accesskey|bearer|kubeconfig|keydata).*|pwd)$/;

/** Names that only look like secrets: they say which one, not what is in it. */
const HARMLESS_NAME = /(?:names?|namespace|refs?|kind|version|count|type|uid|continuetoken)$/;

const BEARER = /\b(Bearer|Basic) [A-Za-z0-9._~+/=-]+/g;
const PEM_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const WEB_TOKEN = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;

const DEPTH_MAX = 8;
const VALUES_PER_FIELD_MAX = 1_000;
const TEXT_LENGTH_MAX = 16_384;

/** Fields that can be printed as JSON and hold no secret; undefined ones are left out. */
export function redact(fields: LogFields): LogFields {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const start = (): Place => ({ depth: 0, budget: { values: VALUES_PER_FIELD_MAX } });
  return Object.fromEntries(present.map(([name, value]) => [name, redactField(name, value, start())]));
}

/** Where in the fields a value stands, and how many more values its field may hold. */
interface Place {
  readonly depth: number;
  readonly budget: { values: number };
}

function redactField(name: string, value: unknown, place: Place): unknown {
  const isPresent = value !== undefined && value !== null && typeof value !== "boolean";
  return isPresent && isSecretName(name) ? MASK : redactValue(value, place);
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z]/g, "");
  return SECRET_NAME.test(plain) && !HARMLESS_NAME.test(plain);
}

function redactValue(value: unknown, place: Place): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value !== "object" || value === null) return value;
  if (place.depth >= DEPTH_MAX || place.budget.values-- <= 0) return "[more]";
  const below = { depth: place.depth + 1, budget: place.budget };
  if (value instanceof Error) return redactError(value, below);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.slice(0, VALUES_PER_FIELD_MAX).map((item) => redactValue(item, below));
  return redactObject(value, below);
}

function redactObject(value: object, place: Place): object {
  const entries = value instanceof Map ? [...value].map(([key, item]) => [String(key), item]) : Object.entries(value);
  const isSecret = isJsonObject(value) && isSecretObject(value);
  return Object.fromEntries(
    entries.slice(0, VALUES_PER_FIELD_MAX).map(([name, item]) => {
      const isData = isSecret && (name === "data" || name === "stringData");
      return [name, isData ? MASK : redactField(name, item, place)];
    }),
  );
}

/** Items of lists do not say their kind, but of all kinds with data only Secrets have a type. */
function isSecretObject({ kind, type }: JsonObject): boolean {
  return kind === "Secret" || (kind === undefined && typeof type === "string");
}

function redactError(error: Error, place: Place): object {
  const { name, message, stack, cause } = error;
  return {
    name,
    message: redactText(message),
    ...("code" in error ? { code: redactValue(error.code, place) } : {}),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, place) }),
  };
}

function redactText(text: string): string {
  const cut = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}… (${text.length} characters)` : text;
  return cut.replace(PEM_KEY, MASK).replace(BEARER, `$1 ${MASK}`).replace(WEB_TOKEN, MASK);
}
