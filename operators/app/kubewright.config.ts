/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "app-operator",
  domain: "k8s.io",
  image: "app-operator:v0.1.0",
  namespace: "app-operator-system",
});
