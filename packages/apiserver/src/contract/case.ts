/** Contract cases: behaviour of the Kubernetes API that every server here must show. Suites are lists of them. */
import type { ContractApi } from "./api.ts";

/** What must be running for a case to hold. */
export type ContractProfile =
  /** An API server alone. */
  | "apiserver"
  /** An API server with controllers, scheduler and nodes. */
  | "cluster";

/** One promise. */
export interface ContractCase {
  /** A sentence of behaviour. */
  readonly name: string;
  readonly profile: ContractProfile;
  readonly run: (api: ContractApi) => Promise<void>;
  /** True where others must not run at the same time on one server. @default false */
  readonly isAlone?: boolean;
}

/** A case that needs nothing but an API server. */
export function contract(name: string, run: (api: ContractApi) => Promise<void>): ContractCase {
  return { name, profile: "apiserver", run };
}

/**
 * A case that deletes a CRD. kube-apiserver then drops the storage of every kind that its list of CRDs did not have a moment before, those
 * of kinds included that came meanwhile: their requests are refused or wait for ever.
 */
export function crdDeletion(name: string, run: (api: ContractApi) => Promise<void>): ContractCase {
  return { ...contract(name, run), isAlone: true };
}
