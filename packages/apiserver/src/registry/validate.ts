/** Validation of an object about to be stored: metadata for every kind, then what the kind's strategy says. */
import { invalidError } from "@kubewright/core/protocol";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { StrategyContext } from "../resource/strategy.ts";
import { validateNewMetadata, validateUpdatedMetadata } from "./validate-metadata.ts";

/** Throws a 422 that names every error; adds the strategy's warnings when there is none. */
export function requireValid(
  resource: ServedResource,
  versions: { readonly next: ApiObject; readonly current?: ApiObject },
  context: StrategyContext,
): void {
  const { next, current } = versions;
  const metadataErrors =
    current === undefined ? validateNewMetadata(resource, next) : validateUpdatedMetadata(resource, next, current);
  const ownErrors = resource.strategy.validate?.(next, current, context) ?? [];
  const isLast = resource.strategy.validatesMetadataLast === true && current === undefined && ownErrors.length > 0;
  if (metadataErrors.length + ownErrors.length > 0) {
    const { group, kind } = resource.definition;
    const errors = isLast ? ownErrors : [...metadataErrors, ...ownErrors];
    throw invalidError({ group, kind, name: next.metadata.name ?? "" }, errors);
  }
  if (context.subresource === "status") return;
  for (const text of resource.strategy.warnings?.(next, current) ?? []) context.warn(text);
}
