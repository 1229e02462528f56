/** TLS settings, as kubeconfigs give them and connections take them. */

/** How the server is known and how it knows us. */
export interface TlsSettings {
  /** Certificates of the authorities that may vouch for the server, or the server's own, as PEM. @default the system's */
  readonly ca?: string | Uint8Array | undefined;
  /** Our certificate, as PEM. */
  readonly cert?: string | Uint8Array | undefined;
  /** Our key, as PEM. */
  readonly key?: string | Uint8Array | undefined;
  /** The name that the server's certificate must have. @default the host of the URL */
  readonly serverName?: string | undefined;
  /** Believe any certificate. @default false */
  readonly insecureSkipVerify?: boolean | undefined;
}
