/**
 * TokenRequest: POST to serviceaccounts/NAME/token answers with a new token, bound to what the request names. Check →
 * find what it is bound to → issue.
 */
import { formatTime, getKey, isJsonObject, type JsonObject, parseApiVersion } from "@kubewright/core/meta";
import { badRequest, conflict, fieldInvalid, invalidError, notFound } from "@kubewright/core/protocol";
import type { ServiceAccountTokens } from "../auth/tokens/service-account-tokens.ts";
import type { Endpoint, ResourceCall } from "../endpoints/call.ts";
import { type ApiObject, withFields, withMetadata } from "../resource/object.ts";
import type { ObjectReader } from "../resource/strategy.ts";
import { reviewEndpoint, specOf, textAt, textsAt, withStatus } from "./review.ts";

const KIND = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" };
const GROUP_RESOURCE = { group: KIND.group, plural: KIND.kind };
const LIFETIME_SECONDS_DEFAULT = 3600;
const LIFETIME_SECONDS_MIN = 600;
const LIFETIME_SECONDS_MAX = 2 ** 32;
/** What kubelets ask for: such tokens live for a year, and count as stale after the time asked for. */
const LIFETIME_SECONDS_EXTENDABLE = 3607;
const LIFETIME_SECONDS_EXTENDED = 365 * 24 * 3600;

/** The endpoint of serviceaccounts/token. */
export function tokenRequestEndpoints(tokens: ServiceAccountTokens): [string, Endpoint][] {
  const endpoint = reviewEndpoint(async (requested, call, admit) => {
    const account = findAccount(requested, call);
    const request = complete(requested, { account, tokens, call });
    requireValidLifetime(lifetimeOf(request));
    await admit(request);
    const bound = findBound(request, { account, reader: call.backend.reader });
    const lifetime = lifetimeOf(request);
    const audiences = textsAt(specOf(request), "audiences");
    const isForHere = audiences.every((audience) => tokens.audiences.includes(audience));
    const isExtended = bound.pod !== undefined && lifetime === LIFETIME_SECONDS_EXTENDABLE && isForHere;
    const token = tokens.issue({
      account,
      audiences,
      lifetimeSeconds: isExtended ? LIFETIME_SECONDS_EXTENDED : lifetime,
      warnAfterSeconds: isExtended ? lifetime : 0,
      ...bound,
    });
    const expirationTimestamp = formatTime(call.backend.clock.now() + lifetime * 1000);
    return withStatus(request, { token, expirationTimestamp });
  }, KIND);
  return [["create serviceaccounts/token", endpoint]];
}

function findAccount({ metadata }: ApiObject, { info, backend }: ResourceCall): ApiObject {
  const { name = "", namespace = "", uid = "" } = metadata;
  if (name !== "" && name !== info.name) {
    throw invalid(info.name, fieldInvalid("metadata.name", name, "must match the service account name if specified"));
  }
  if (namespace !== "" && namespace !== info.namespace) {
    const detail = "must match the service account namespace if specified";
    throw invalid(info.name, fieldInvalid("metadata.namespace", namespace, detail));
  }
  const account = backend.reader.get("serviceaccounts", info.namespace, info.name);
  if (account === undefined) throw notFound({ group: "", plural: "serviceaccounts" }, info.name);
  if (uid !== "" && uid !== account.metadata.uid) {
    const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid})`;
    throw conflict(GROUP_RESOURCE, info.name, why);
  }
  return account;
}

/** The request with its defaults, and with the identity of the service account. */
function complete(
  request: ApiObject,
  {
    account,
    tokens,
    call,
  }: { readonly account: ApiObject; readonly tokens: ServiceAccountTokens; readonly call: ResourceCall },
): ApiObject {
  const spec = specOf(request);
  const audiences = textsAt(spec, "audiences");
  const { name, namespace, uid } = account.metadata;
  const creationTimestamp = formatTime(call.backend.clock.now());
  const identified = withMetadata(request, { name, namespace, uid, creationTimestamp });
  return withFields(identified, {
    spec: {
      ...spec,
      audiences: audiences.length === 0 ? tokens.audiences : audiences,
      expirationSeconds: getKey(spec, "expirationSeconds") ?? LIFETIME_SECONDS_DEFAULT,
      boundObjectRef: getKey(spec, "boundObjectRef") ?? null,
    },
    status: undefined,
  });
}

function lifetimeOf(request: ApiObject): number {
  return Number(getKey(specOf(request), "expirationSeconds"));
}

function requireValidLifetime(seconds: number): void {
  const field = "spec.expirationSeconds";
  if (seconds < LIFETIME_SECONDS_MIN) {
    throw invalid("", fieldInvalid(field, seconds, "may not specify a duration less than 10 minutes"));
  }
  if (seconds > LIFETIME_SECONDS_MAX) {
    throw invalid("", fieldInvalid(field, seconds, "may not specify a duration larger than 2^32 seconds"));
  }
}

function invalid(name: string, error: ReturnType<typeof fieldInvalid>): Error {
  return invalidError({ group: KIND.group, kind: KIND.kind, name }, [error]);
}

interface Bound {
  readonly pod?: ApiObject;
  readonly secret?: ApiObject;
  readonly node?: ApiObject;
}

function findBound(
  request: ApiObject,
  { account, reader }: { readonly account: ApiObject; readonly reader: ObjectReader },
): Bound {
  const reference = getKey(specOf(request), "boundObjectRef");
  if (!isJsonObject(reference)) return {};
  const { group, version } = parseApiVersion(textAt(reference, "apiVersion"));
  const kind = textAt(reference, "kind");
  const { namespace = "" } = account.metadata;
  switch (group === "" ? kind : "") {
    case "Pod":
      return podAndNode(requireObject(reader, "pods", { reference, namespace }), account, reader);
    case "Secret":
      return { secret: requireObject(reader, "secrets", { reference, namespace }) };
    case "Node":
      return { node: requireObject(reader, "nodes", { reference, namespace: "" }) };
    default:
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
}

function podAndNode(pod: ApiObject, account: ApiObject, reader: ObjectReader): Bound {
  const spec = specOf(pod);
  const name = account.metadata.name ?? "";
  if (textAt(spec, "serviceAccountName") !== name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
    );
  }
  const nodeName = textAt(spec, "nodeName");
  if (nodeName === "") return { pod };
  const unknown = { apiVersion: "v1", kind: "Node", metadata: { name: nodeName } };
  return { pod, node: reader.get("nodes", "", nodeName) ?? unknown };
}

function requireObject(
  reader: ObjectReader,
  resource: string,
  { reference, namespace }: { readonly reference: JsonObject; readonly namespace: string },
): ApiObject {
  const name = textAt(reference, "name");
  const uid = textAt(reference, "uid");
  const object = reader.get(resource, namespace, name);
  if (object === undefined) throw notFound({ group: "", plural: resource }, name);
  if (uid === "" || uid === object.metadata.uid) return object;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: "", plural: textAt(reference, "kind") }, name, why);
}
