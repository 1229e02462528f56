/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "application-operator",
  domain: "aiops.org",
  image: "application-operator:v0.1.0",
  namespace: "application-operator-system",
});
