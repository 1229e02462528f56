/**
 * Listening with credentials: a certificate for the address the server listens on, by its own authority, and a kubeconfig with an
 * administrator's client certificate. Loaded when a server first listens; in-process use needs none of it.
 */
import { formatKubeconfig } from "@kubewright/core/protocol";
import type { CertificateAuthority } from "@kubewright/node/certificates";
import { isIpAddress } from "../builtin/validation/addresses.ts";
import type { Backend } from "../registry/backend.ts";
import { publishClientAuthorities } from "./authentication-info.ts";
import { keepIdentityLease } from "./identity-lease.ts";
import { type Listener, listen, type TlsOptions } from "./listen.ts";
import { Listeners } from "./listeners.ts";
import type { OwnAuthority } from "./own-authority.ts";
import type { Serve } from "./serve.ts";

/** Options of `ApiServer.listen`. */
export interface ListenOptions {
  /** @default "127.0.0.1": only this machine */
  readonly host?: string;
  /** @default 0: any free port */
  readonly port?: number;
  /** Certificates to use, or "none" for plain HTTP. @default those of an authority of its own */
  readonly tls?: TlsOptions | "none";
}

/** A listening API server. */
export interface ApiListener extends Listener {
  /** The authority that signed the server's certificate, PEM; absent for plain HTTP and for given certificates. */
  readonly certificateAuthority?: string;
  /** Text of a kubeconfig with administrator's credentials; absent as `certificateAuthority` is. */
  readonly kubeconfig?: string;
}

/** What listening needs. */
export interface ListeningParts {
  readonly serve: Serve;
  readonly ownAuthority: OwnAuthority;
  readonly backend: Pick<Backend, "storage" | "random" | "clock">;
}

/** All listeners of a server. */
export interface Listening {
  /** Opens one more. */
  listen(options?: ListenOptions): Promise<ApiListener>;
  /** Closes all. */
  close(): Promise<void>;
}

/** Makes what listens; all its listeners share one authority and one Lease. */
export function createListening(parts: ListeningParts): Listening {
  const listeners = new Listeners<ApiListener>(() => keepIdentityLease(parts.backend));
  return {
    listen: async (options) => listeners.add(await openListener(parts, options)),
    close: () => listeners.close(),
  };
}

async function openListener(
  { serve, ownAuthority, backend }: ListeningParts,
  { host = "127.0.0.1", port = 0, tls }: ListenOptions = {},
): Promise<ApiListener> {
  if (tls === "none") return listen(serve, { host, port });
  if (tls !== undefined) {
    const given = await listen(serve, { host, port, tls });
    if (tls.clientAuthorities.length > 0) publishClientAuthorities(backend, tls.clientAuthorities.join(""));
    return given;
  }
  const authority = await ownAuthority();
  const { certificate, key } = serverCertificate(authority, host);
  const own = { certificate, key, clientAuthorities: [authority.certificate] };
  const listener = await listen(serve, { host, port, tls: own });
  publishClientAuthorities(backend, authority.certificate);
  return {
    ...listener,
    certificateAuthority: authority.certificate,
    kubeconfig: kubeconfigFor(authority, listener.url),
  };
}

function serverCertificate(authority: CertificateAuthority, host: string): { certificate: string; key: string } {
  const services = [
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ];
  return authority.issue({
    commonName: "kube-apiserver",
    dnsNames: ["localhost", ...services, ...(isIpAddress(host) ? [] : [host])],
    ipAddresses: [...new Set(["127.0.0.1", "::1", "10.0.0.1", ...(isIpAddress(host) ? [host] : [])])],
    usages: ["server auth"],
  });
}

function kubeconfigFor(authority: CertificateAuthority, server: string): string {
  const client = authority.issue({
    commonName: "kubernetes-admin",
    organizations: ["system:masters"],
    usages: ["client auth"],
  });
  return formatKubeconfig({ name: "kubewright", server, certificateAuthority: authority.certificate, client });
}
