/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "microservice-operator",
  domain: "custom.ops",
  image: "microservice-operator:v0.1.0",
  namespace: "microservice-operator-system",
});
