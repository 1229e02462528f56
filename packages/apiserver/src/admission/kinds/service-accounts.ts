/**
 * ServiceAccount: pods act as a service account, "default" unless they name one, and find its token and the cluster's
 * certificate authority in their containers. Needs a controller that creates default accounts, so it is off where none runs.
 */
import type { Container, Pod, ServiceAccount } from "@kubewright/api/core/v1";
import { deepFreeze, type JsonObject } from "@kubewright/core/meta";
import { type Clock, type Random, sleep } from "@kubewright/core/ports";
import { generatedName } from "../../resource/generated-name.ts";
import type { ApiObject } from "../../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";
import { withSpec } from "./pods.ts";

const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const TOKEN_SECONDS = 3607;
/** The account "default" of a new namespace is made a moment after the namespace. */
const DEFAULT_ATTEMPTS_MAX = 10;
const DEFAULT_WAIT_MS = 100;

/** What the plugin works with. */
export interface ServiceAccountParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Asked for the account "default" of a namespace that has none yet. @default a moment is waited for somebody to make it */
  readonly makeDefaultAccount?: ((namespace: string) => Promise<void>) | undefined;
}

/** Makes the plugin. */
export function serviceAccount(parts: ServiceAccountParts): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    resources: new Set(["pods"]),
    mutate(object, request) {
      if (request.operation !== "CREATE" || request.subresource !== "") return object;
      if (Object.hasOwn(object.metadata.annotations ?? {}, "kubernetes.io/config.mirror")) return object;
      const { spec } = object as unknown as Pod;
      const name = (spec?.serviceAccountName ?? "") === "" ? "default" : (spec?.serviceAccountName ?? "");
      const found = accountNamed(name, request);
      if (found !== undefined) return actAs(found, { pod: object, name, random: parts.random });
      return awaitAccount(name, request, parts).then((account) =>
        actAs(account, { pod: object, name, random: parts.random }),
      );
    },
  };
}

interface ActingPod {
  readonly pod: ApiObject;
  /** Of the account. */
  readonly name: string;
  readonly random: Random;
}

/** The pod with its account and what it takes to act as it. */
function actAs(account: ServiceAccount, { pod, name, random }: ActingPod): ApiObject {
  const { spec = { containers: [] } } = pod as unknown as Pod;
  const pullSecrets = (spec.imagePullSecrets ?? []).length > 0 ? spec.imagePullSecrets : account.imagePullSecrets;
  const named = withSpec(pod, {
    serviceAccountName: name,
    serviceAccount: name,
    ...((pullSecrets ?? []).length === 0 ? {} : { imagePullSecrets: pullSecrets }),
  });
  const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  return mounts ? mountToken(named, random) : named;
}

function accountNamed(name: string, { reader, namespace }: AdmissionRequest): ServiceAccount | undefined {
  return reader.get("serviceaccounts", namespace, name) as unknown as ServiceAccount | undefined;
}

/** An account that is not there; "default" may come in a moment. */
async function awaitAccount(
  name: string,
  request: AdmissionRequest,
  { clock, makeDefaultAccount }: ServiceAccountParts,
): Promise<ServiceAccount> {
  const { namespace, signal } = request;
  const attemptsMax = name === "default" ? DEFAULT_ATTEMPTS_MAX : 1;
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    if (attempt === 1 && makeDefaultAccount !== undefined) await makeDefaultAccount(namespace);
    else await sleep(clock, DEFAULT_WAIT_MS, signal);
    const found = accountNamed(name, request);
    if (found !== undefined) return found;
  }
  throw refusal(
    request,
    `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

/** Containers that mount something there already keep it. */
function mountToken(pod: ApiObject, random: Random): ApiObject {
  const { spec } = pod as unknown as Pod;
  const volumes = spec?.volumes ?? [];
  const existing = volumes.find(({ name, projected }) => name.startsWith("kube-api-access-") && projected != null);
  const name = existing?.name ?? generatedName("kube-api-access-", random);
  let isNeeded = false;
  const mount = (container: Container): Container => {
    const mounts = container.volumeMounts ?? [];
    if (mounts.some(({ mountPath }) => mountPath === MOUNT_PATH)) return container;
    isNeeded = true;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: MOUNT_PATH }] };
  };
  const containers = (spec?.containers ?? []).map(mount);
  const initContainers = spec?.initContainers?.map(mount);
  if (!isNeeded) return pod;
  return withSpec(pod, {
    containers,
    ...(initContainers === undefined ? {} : { initContainers }),
    volumes: existing === undefined ? [...volumes, { name, projected: TOKEN_SOURCE }] : volumes,
  });
}

/** What is in the volume; all pods share it. */
const TOKEN_SOURCE: JsonObject = deepFreeze({
  sources: [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    {
      downwardAPI: {
        items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
      },
    },
  ],
  defaultMode: 420,
});
