/**
 * The token controller: a Secret of type kubernetes.io/service-account-token gets a token of the account that it names, and
 * goes when that account is not there (any more). Nothing makes such Secrets by itself; old tools and scripts do.
 */
import { Namespace, Secret, ServiceAccount } from "@kubewright/api/core/v1";
import { type Client, type Controller, defineController, metadataOnly, watch } from "@kubewright/runtime";
import { isOpen, namespaceOf } from "../namespace/of-object.ts";
import { rootCertificates } from "./root-certificate.ts";

const TYPE = "kubernetes.io/service-account-token";
const ACCOUNT_NAME = "kubernetes.io/service-account.name";
const ACCOUNT_UID = "kubernetes.io/service-account.uid";

/** What filling Secrets takes. */
export interface TokenSecretParts {
  /** Signs the token of an account for a Secret; good as long as both are there. */
  readonly issueToken: (account: ServiceAccount, secret: Secret) => string;
  /** Certificates of the API server, as PEM; "" for those that it tells itself. */
  readonly rootCertificates: string;
}

/** Fills the Secrets of each namespace. */
export function createTokenSecretController(parts: TokenSecretParts): Controller<Namespace> {
  return defineController<Namespace>({
    name: "serviceaccount-token-controller",
    for: Namespace,
    crossNamespace: true, // The API server tells of itself in kube-system.
    watches: [
      watch(metadataOnly(Secret), { map: namespaceOf, cache: { fieldSelector: { type: TYPE } } }),
      watch(ServiceAccount, { map: namespaceOf }),
    ],
    async reconcile(namespace, { client }) {
      if (!isOpen(namespace)) return;
      const place = { namespace: namespace.metadata?.name ?? "", fieldSelector: { type: TYPE } };
      for (const secret of (await client.list(Secret, place)).items) await settle(client, secret, parts);
    },
  });
}

async function settle(client: Client, secret: Secret, parts: TokenSecretParts): Promise<void> {
  const { namespace = "", annotations = {} } = secret.metadata ?? {};
  const account = await client.find(ServiceAccount, { name: annotations[ACCOUNT_NAME] ?? "", namespace });
  const uid = account?.metadata?.uid ?? "";
  if (account === undefined || (annotations[ACCOUNT_UID] ?? uid) !== uid) {
    await client.delete(Secret, secret);
    return;
  }
  const certificates = await rootCertificates(client, parts.rootCertificates);
  const wanted = {
    ...(certificates === "" ? {} : { "ca.crt": base64(certificates) }),
    namespace: base64(namespace),
    token: secret.data?.["token"] ?? base64(parts.issueToken(account, secret)),
  };
  const isFilled = Object.entries(wanted).every(([key, value]) => secret.data?.[key] === value);
  if (isFilled && annotations[ACCOUNT_UID] === uid) return;
  await client.patch(Secret, secret, { merge: { metadata: { annotations: { [ACCOUNT_UID]: uid } }, data: wanted } });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
