/** `pods/exec` and `pods/attach`: connections into a pod, which whoever runs it answers. */
import { badRequest, isQueryTrue } from "@kubewright/core/protocol";
import type { Endpoint } from "../endpoints/call.ts";
import { createChannelInput } from "./channel-input.ts";
import type { PodConnectRequest, PodHooks } from "./pod-hooks.ts";
import { requireContainer, requirePod } from "./pod-log.ts";
import { overSpdy } from "./remote-command.ts";
import { isSpdyUpgrade } from "./stream-protocol.ts";

/** Makes the endpoint for one kind of connection. */
export function podConnectEndpoint(kind: PodConnectRequest["kind"], { connect }: PodHooks): Endpoint {
  return async (call) => {
    const pod = requirePod(call);
    const container = requireContainer(pod, call.info.query.get("container") ?? "");
    if ((pod.spec?.nodeName ?? "") === "" || connect === undefined) {
      throw badRequest(`pod ${call.info.name} does not have a host assigned`);
    }
    const input = createChannelInput(isQueryTrue(call.info.query, "stdin"), call.request.signal);
    const answer = await connect({ kind, pod, container, call, input: input.bytes });
    return isSpdyUpgrade(call.request.headers) ? overSpdy(call, answer, input) : { ...answer, messages: input };
  };
}
