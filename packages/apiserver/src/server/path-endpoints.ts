/**
 * What is served beside resources: version, health, discovery, OpenAPI. A path endpoint serves its path and all paths
 * below it; the longest path wins.
 */
import { createDiscoveryPaths } from "../discovery/discovery-paths.ts";
import { createRootEndpoint } from "../discovery/root-path.ts";
import { createOpenApiPaths } from "../openapi/openapi-paths.ts";
import type { Backend } from "../registry/backend.ts";
import { plainText } from "../request/plain-text.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import { healthEndpoint } from "./health.ts";
import { versionEndpoint } from "./version.ts";

/** Serves a path; returns undefined for paths below it that are not there. */
export type PathEndpoint = (request: ApiRequest, backend: Backend) => Promise<ApiResponse | undefined>;

/** The paths that every server serves, and `others` beside them or in their place. */
export function createPaths(others: ReadonlyMap<string, PathEndpoint> = new Map()): ReadonlyMap<string, PathEndpoint> {
  const paths: ReadonlyMap<string, PathEndpoint> = new Map([
    ["/", createRootEndpoint(() => paths.keys())],
    ["/healthz", healthEndpoint],
    ["/livez", healthEndpoint],
    ["/readyz", healthEndpoint],
    ["/version", versionEndpoint],
    ...createDiscoveryPaths(),
    ...createOpenApiPaths(),
    ...others,
  ]);
  return paths;
}

/** Serves a request that is about no resource; 404 in plain text, as kube-apiserver does, when nothing is there. */
export async function servePath(
  paths: ReadonlyMap<string, PathEndpoint>,
  request: ApiRequest,
  backend: Backend,
): Promise<ApiResponse> {
  for (const path of pathsAbove(request.info.path)) {
    const response = await paths.get(path)?.(request, backend);
    if (response !== undefined) return response;
  }
  return plainText(404, "404 page not found\n");
}

/** The path itself, then each path above it, up to "/". */
function pathsAbove(path: string): readonly string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return [...segments.map((_, index) => `/${segments.slice(0, segments.length - index).join("/")}`), "/"];
}
