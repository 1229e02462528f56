/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "widget-operator",
  domain: "example.com",
  image: "widget-operator:v0.1.0",
  namespace: "widget-operator-system",
});
