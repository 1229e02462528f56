/** Applies a project's samples; what the cluster says against one is told with where it stands. Asked for by run-project.ts. */
import { isMalformed } from "@kubewright/core/meta";
import { isApiError, isForbidden, isUnauthorized } from "@kubewright/core/protocol";
import { type ApplyOptions, applyObjects } from "../cluster/apply-objects.ts";
import { CommandError, isCommandError } from "../command/command-error.ts";
import type { OperatorProject } from "../project/load-operator.ts";

/** Applies all, in the order of their files. */
export async function applySamples({ samples }: OperatorProject, options: ApplyOptions): Promise<void> {
  await applyObjects(samples, options).catch((error: unknown) => {
    throw isAboutSample(error) ? sampleFailure(error) : error;
  });
}

/** Rights and credentials are not the sample's; nor is a server that does not answer. */
function isAboutSample(error: unknown): error is Error {
  return (
    isCommandError(error) || isMalformed(error) || (isApiError(error) && !isForbidden(error) && !isUnauthorized(error))
  );
}

function sampleFailure(error: Error): CommandError {
  const own = isCommandError(error) ? error.remedy : undefined;
  const remedy = own ?? "correct the sample; kubewright dev --no-samples leaves them out";
  return new CommandError(`config/samples: ${error.message}`, { remedy, cause: error });
}
