/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "appservice-operator",
  domain: "example.com",
  image: "appservice-operator:v0.1.0",
  namespace: "appservice-operator-system",
});
