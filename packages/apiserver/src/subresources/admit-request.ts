/** Admission of requests that store no object of their resource: a Binding, an Eviction, the options of a connection. */
import { apiVersionOf, type JsonObject } from "@kubewright/core/meta";
import { isQueryTrue } from "@kubewright/core/protocol";
import { admitMutating, admitValidating } from "../admission/admission.ts";
import type { Endpoint, ResourceCall } from "../endpoints/call.ts";
import { toWriteRequest } from "../endpoints/write-options.ts";
import { admissionRequest, type WriteRequest } from "../registry/write-request.ts";
import type { ApiObject } from "../resource/object.ts";

/** The body of a "create" as plugins leave it. Throws when one refuses it. */
export async function admitBody({ backend }: ResourceCall, write: WriteRequest, body: ApiObject): Promise<ApiObject> {
  const admission = admissionRequest(backend, write, "CREATE");
  const mutated = await admitMutating(backend.admission, { ...admission, object: body }, (object) => object);
  await admitValidating(backend.admission, { ...admission, object: mutated });
  return mutated;
}

/** Lets plugins look at the options of a connection before it is made. */
export function admittingConnections(endpoint: Endpoint): Endpoint {
  return async (call) => {
    const { backend } = call;
    const write = { ...(await toWriteRequest(call, "CreateOptions")), options: {} };
    const request = { ...admissionRequest(backend, write, "CONNECT"), object: connectionOptions(call) };
    await admitMutating(backend.admission, request, (object) => object);
    await admitValidating(backend.admission, request);
    return endpoint(call);
  };
}

const SWITCHES = ["stdin", "stdout", "stderr", "tty"];

/** What the query says, as the object that the subresource takes. */
function connectionOptions({ resource, info }: ResourceCall): ApiObject {
  const { query, rest, subresource } = info;
  const own = resource.subresources.find(({ name }) => name === subresource)?.kind ?? resource.definition;
  const isProxy = subresource === "proxy";
  const hasStreams = subresource === "exec" || subresource === "attach";
  const options: JsonObject = {
    ...(hasStreams &&
      Object.fromEntries(SWITCHES.filter((name) => isQueryTrue(query, name)).map((name) => [name, true]))),
    ...(hasStreams && query.has("container") && { container: query.get("container") ?? "" }),
    ...(subresource === "exec" && { command: query.has("command") ? query.getAll("command") : null }),
    ...(subresource === "portforward" && query.has("ports") && { ports: query.getAll("ports").map(Number) }),
    ...(isProxy && rest.length > 0 && { path: `/${rest.join("/")}` }),
  };
  return { kind: own.kind, apiVersion: apiVersionOf(own), metadata: {}, ...options };
}
