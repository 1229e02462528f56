/** `/`: the paths that the server serves, sorted; for people who look around. */
import { stringifyJson } from "@kubewright/core/meta";
import type { Backend } from "../registry/backend.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import { compareText } from "../resource/api-version-order.ts";
import { servedGroups } from "./served-groups.ts";

/** Serves `/` with the groups and versions served now and `otherPaths`. */
export function createRootEndpoint(
  otherPaths: () => Iterable<string>,
): (request: ApiRequest, backend: Backend) => Promise<ApiResponse | undefined> {
  return async ({ info }, { registry }) => {
    if (info.path !== "/" && info.path !== "") return undefined;
    const groupPaths = servedGroups(registry).flatMap(({ group, versions }) => {
      const root = group === "" ? "/api" : `/apis/${group}`;
      return [root, ...versions.map(({ version }) => `${root}/${version}`)];
    });
    const others = [...otherPaths()].filter((path) => path !== "/");
    const paths = [...new Set([...groupPaths, ...others])].toSorted(compareText);
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, body: stringifyJson({ paths }, 2) };
  };
}
