/** Failures that kube-apiserver passes on as they come from its storage: a code and a message, but no reason. */
import { ApiError } from "@kubewright/core/protocol";

/** An error without a reason. */
export function bareError(code: number, message: string): ApiError {
  return new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, code });
}
