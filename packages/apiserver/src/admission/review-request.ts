/**
 * An admission request as JSON: what webhooks get in an AdmissionReview and what expressions see as `request`. Fields
 * that are empty are left out, as Go leaves them out.
 */
import type { JsonObject } from "@kubewright/core/meta";
import type { ServedResource } from "../resource/resource.ts";
import type { AdmissionRequest } from "./admission.ts";

/** The request, told in terms of the version in which it matched. */
export function describeRequest(request: AdmissionRequest, matched: ServedResource): JsonObject {
  const { resource, subresource, name, operation, user, dryRun, options } = request;
  const namespace = resource.storageName === "namespaces" ? name : request.namespace;
  return {
    kind: kindOf(matched, subresource),
    resource: resourceOf(matched),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: kindOf(resource, subresource),
    requestResource: resourceOf(resource),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...((user.uid ?? "") === "" ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: user.groups }),
      ...(Object.keys(user.extra ?? {}).length === 0 ? {} : { extra: { ...user.extra } }),
    },
    dryRun,
    options: Object.keys(options).length === 0 ? null : options,
  };
}

/** Subresources such as scale have a kind of their own. */
function kindOf({ definition, subresources }: ServedResource, subresource: string): JsonObject {
  const own = subresources.find(({ name }) => name === subresource)?.kind;
  const { group, version, kind } = own ?? definition;
  return { group, version, kind };
}

function resourceOf({ definition: { group, version, plural } }: ServedResource): JsonObject {
  return { group, version, resource: plural };
}
