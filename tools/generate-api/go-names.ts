/** The names of one type: in Go, in OpenAPI, and in the table of types. */

/** "io.k8s.api.apps.v1.Deployment" for "k8s.io/api/apps/v1.Deployment". */
export function openApiName(goName: string): string {
  const [host = "", ...path] = goName.split("/");
  return [...host.split(".").reverse(), ...path].join(".");
}

/** "apps/v1.Deployment" for "k8s.io/api/apps/v1.Deployment". */
export function typeId(goName: string): string {
  return goName.split("/").slice(-2).join("/");
}

/** The structs within a type expression such as "map[string]k8s.io/api/core/v1.Container". */
export function structsIn(expression: string): string[] {
  return expression.match(/k8s\.io\/[\w./-]+/g) ?? [];
}
