/** `/version`: which Kubernetes the server speaks. */
import { methodNotAllowed } from "@kubewright/core/protocol";
import type { ApiRequest, ApiResponse } from "../request/request.ts";

/** What kube-apiserver of the same API says of itself; the build fields name this server. */
const VERSION = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.3",
  gitCommit: "kubewright",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "node",
};

/** Serves the version. */
export async function versionEndpoint({ method }: ApiRequest): Promise<ApiResponse | undefined> {
  if (method !== "GET") throw methodNotAllowed();
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(VERSION, undefined, 2) };
}
