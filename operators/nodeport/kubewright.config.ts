/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "nodeport-operator",
  domain: "example.com",
  image: "nodeport-operator:v0.1.0",
  namespace: "nodeport-operator-system",
});
