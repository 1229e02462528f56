/** Objects that contract cases write. */

/** The path of ConfigMaps in a namespace. */
export function configMaps(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

/** A ConfigMap. */
export function configMap(name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

/** The path of CRDs. */
export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A CRD of `widgets` in a group of its own, whose spec has a size and whose status has a phase. */
export function widgetCrd(group: string, version: object = {}): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    size: { type: "integer", minimum: 0, default: 1 },
                    note: { type: "string" },
                  },
                },
                status: { type: "object", properties: { phase: { type: "string" } } },
              },
            },
          },
          ...version,
        },
      ],
    },
  };
}
