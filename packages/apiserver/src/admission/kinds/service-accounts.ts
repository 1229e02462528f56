/**
 * ServiceAccount: pods act as a service account, "default" unless they name one, and find its token and the cluster's
 * certificate authority in their containers. Needs a controller that creates default accounts, so it is off where none runs.
 */
import type { Container, Pod, ServiceAccount } from "@kubewright/api/core/v1";
import { type Clock, type Random, sleep } from "@kubewright/core/ports";
import type { ApiObject } from "../../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";
import { withSpec } from "./pods.ts";

const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const TOKEN_SECONDS = 3607;
const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
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
    async mutate(object, request) {
      if (request.operation !== "CREATE" || request.subresource !== "") return object;
      if (Object.hasOwn(object.metadata.annotations ?? {}, "kubernetes.io/config.mirror")) return object;
      const { spec = { containers: [] } } = object as unknown as Pod;
      const name = (spec.serviceAccountName ?? "") === "" ? "default" : (spec.serviceAccountName ?? "");
      const account = await findAccount(name, request, parts);
      const pullSecrets = (spec.imagePullSecrets ?? []).length > 0 ? spec.imagePullSecrets : account.imagePullSecrets;
      const named = withSpec(object, {
        serviceAccountName: name,
        serviceAccount: name,
        ...((pullSecrets ?? []).length === 0 ? {} : { imagePullSecrets: pullSecrets }),
      });
      const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
      return mounts ? mountToken(named, parts.random) : named;
    },
  };
}

async function findAccount(
  name: string,
  request: AdmissionRequest,
  { clock, makeDefaultAccount }: ServiceAccountParts,
): Promise<ServiceAccount> {
  const { reader, namespace, signal } = request;
  const attemptsMax = name === "default" ? DEFAULT_ATTEMPTS_MAX : 1;
  for (let attempt = 1; ; attempt++) {
    const found = reader.get("serviceaccounts", namespace, name);
    if (found !== undefined) return found as unknown as ServiceAccount;
    if (attempt === attemptsMax) break;
    if (attempt === 1 && makeDefaultAccount !== undefined) await makeDefaultAccount(namespace);
    else await sleep(clock, DEFAULT_WAIT_MS, signal);
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
  const name = existing?.name ?? `kube-api-access-${suffix(random)}`;
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
    volumes: existing === undefined ? [...volumes, tokenVolume(name)] : volumes,
  });
}

function tokenVolume(name: string): object {
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
    },
  };
}

function suffix(random: Random): string {
  const pick = (): string => NAME_ALPHABET[Math.floor(random.next() * NAME_ALPHABET.length)] ?? "";
  return Array.from({ length: 5 }, pick).join("");
}
