/**
 * Who makes a request. Authentication finds it, authorization and admission read it. The in-process transport states
 * its user itself: whoever holds the transport holds the server.
 */

/** A user as the API knows one. */
export interface User {
  readonly name: string;
  /** @default "" */
  readonly uid?: string;
  readonly groups: readonly string[];
  /** @default {} */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Who the in-process transport acts as unless told otherwise: a cluster administrator. */
export const administrator: User = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };

/** Who makes a request without credentials. */
export const anonymous: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };
