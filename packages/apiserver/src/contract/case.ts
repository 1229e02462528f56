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
}

/** A case that needs nothing but an API server. */
export function contract(name: string, run: (api: ContractApi) => Promise<void>): ContractCase {
  return { name, profile: "apiserver", run };
}
