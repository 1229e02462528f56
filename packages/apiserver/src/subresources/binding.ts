/** POST of a Binding: a scheduler puts a pod on a node. Answers with a Status. */

import type { Binding, Pod } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import {
  badRequest,
  conflict,
  type FieldError,
  fieldNotSupported,
  fieldRequired,
  internalError,
} from "@kubewright/core/protocol";
import type { ResourceCall } from "../endpoints/call.ts";
import { negotiate } from "../endpoints/representation.ts";
import { respondStatus } from "../endpoints/respond.ts";
import { toWriteRequest } from "../endpoints/write-options.ts";
import { shapeOf } from "../registry/shape.ts";
import { updateObject } from "../registry/update.ts";
import { bareError } from "../request/bare-error.ts";
import type { ApiResponse } from "../request/request.ts";
import { type ApiObject, withFields, withMetadata } from "../resource/object.ts";
import { admitBody } from "./admit-request.ts";
import { decodeAs } from "./decode-as.ts";
import { succeeded } from "./success.ts";

const BINDING = { group: "", version: "v1", kind: "Binding" };
const POD_BINDINGS = { group: "", plural: "pods/binding" };

/** Serves "create" of bindings and of pods/binding. */
export async function handleBinding(call: ResourceCall): Promise<ApiResponse> {
  const { backend, info } = call;
  const representation = negotiate(call);
  const object = await decodeAs({ ...call, info: { ...call.info, name: "" } }, BINDING);
  const name = object.metadata.name ?? "";
  if (info.name !== "" && info.name !== name) throw badRequest("name in URL does not match name in Binding object");
  const pods = backend.registry.find("", "v1", "pods");
  if (pods === undefined) throw internalError("pods are not served");
  const given = await toWriteRequest(call, "CreateOptions", { name });
  const shape = await shapeOf(pods);
  const kept = { subresource: "binding", ownership: "kept", admittedAs: "over" } as const;
  const write = { ...given, resource: pods, shape, ...kept };
  const binding = (await admitBody(call, given, object)) as unknown as Binding;
  requireValid(binding);
  const time = formatTime(backend.clock.now());
  await updateObject(backend, write, (pod) => bind(pod, binding, time));
  return respondStatus(call, representation, { code: 201, status: succeeded(201) });
}

function requireValid({ target }: Binding): void {
  const kind = target?.kind ?? "";
  const errors: FieldError[] = [
    ...(kind === "" || kind === "Node" ? [] : [fieldNotSupported("target.kind", kind, ["Node", "<empty>"])]),
    ...((target?.name ?? "") === "" ? [fieldRequired("target.name")] : []),
  ];
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  if (texts.length > 0) throw bareError(500, texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`);
}

/** The pod on its node; pods that are bound, gated or going stay as they are. */
function bind(object: ApiObject, { target, metadata }: Binding, time: string): ApiObject {
  const { spec, status } = object as unknown as Pod;
  const name = object.metadata.name ?? "";
  const refuse = (why: string): never => {
    throw conflict(POD_BINDINGS, name, `pod ${name} ${why}`);
  };
  if (object.metadata.deletionTimestamp !== undefined) refuse("is being deleted, cannot be assigned to a host");
  if ((spec?.nodeName ?? "") !== "") refuse(`is already assigned to node ${JSON.stringify(spec?.nodeName)}`);
  if ((spec?.schedulingGates ?? []).length > 0) refuse("has non-empty .spec.schedulingGates");
  const labels = { ...object.metadata.labels, ...metadata?.labels };
  const annotations = { ...object.metadata.annotations, ...metadata?.annotations };
  const { nominatedNodeName: _, ...rest } = status ?? {};
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: time };
  const others = (status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
  const bound = withFields(object, {
    spec: { ...spec, nodeName: target?.name } as never,
    status: { ...rest, conditions: [...others, scheduled] } as never,
  });
  return withMetadata(bound, {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  });
}
