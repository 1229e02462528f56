/** DefaultIngressClass: new ingresses without a class get the default one. */
import type { Ingress } from "@kubewright/api/networking/v1";
import type { AdmissionPlugin } from "../admission.ts";
import { newestDefault } from "./default-class.ts";
import { withSpec } from "./pods.ts";

/** The plugin. */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  resources: new Set(["ingresses.networking.k8s.io"]),
  mutate(object, { operation, subresource, reader }) {
    if (operation !== "CREATE" || subresource !== "") return object;
    const { spec, metadata } = object as unknown as Ingress;
    if (spec?.ingressClassName != null || Object.hasOwn(metadata?.annotations ?? {}, "kubernetes.io/ingress.class")) {
      return object;
    }
    const name = newestDefault(reader.list("ingressclasses.networking.k8s.io", ""), [
      "ingressclass.kubernetes.io/is-default-class",
    ]);
    return name === undefined ? object : withSpec(object, { ingressClassName: name });
  },
};
