/** APIServices: named after the group and version that they serve. */
import type { APIService } from "@kubewright/api/apiregistration/v1";
import type { JsonObject } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { withFields } from "../resource/object.ts";
import type { KindParticulars } from "./kind-strategy.ts";
import { pathSegmentNames } from "./names.ts";

const GROUP_PRIORITY_MAX = 20_000;
const VERSION_PRIORITY_MAX = 1000;

/** What is particular to APIServices. */
export const apiServiceParticulars: KindParticulars = {
  unconditionalUpdate: false,
  nameErrors: pathSegmentNames,
  prepareForCreate: (object, { time }) => {
    const isLocal = (object as unknown as APIService).spec?.service == null;
    return isLocal ? withFields(object, { status: { conditions: [localCondition(time)] } }) : object;
  },
  validate: (object, _current, { subresource }) =>
    subresource === "status" ? [] : validateApiService(object as unknown as APIService),
};

/** What this server serves itself is there at once: no controller has to look first. */
function localCondition(time: string): JsonObject {
  return {
    type: "Available",
    status: "True",
    lastTransitionTime: time,
    reason: "Local",
    message: "Local APIServices are always available",
  };
}

function validateApiService({ metadata, spec }: APIService): FieldError[] {
  const { group = "", version = "", groupPriorityMinimum = 0, versionPriority = 0 } = spec ?? {};
  const name = metadata?.name ?? "";
  const range = (field: string, value: number, max: number): FieldError[] =>
    value > 0 && value <= max ? [] : [fieldInvalid(field, value, `must be positive and less than ${max}`)];
  return [
    ...(name === `${version}.${group}`
      ? []
      : [fieldInvalid("metadata.name", name, 'must be `spec.version+"."+spec.group`')]),
    ...(version === "" ? [fieldRequired("spec.version")] : []),
    ...range("spec.groupPriorityMinimum", groupPriorityMinimum, GROUP_PRIORITY_MAX),
    ...range("spec.versionPriority", versionPriority, VERSION_PRIORITY_MAX),
  ];
}
