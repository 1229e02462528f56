/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "scheduled-scaler-operator",
  domain: "aiops.org",
  image: "scheduled-scaler-operator:v0.1.0",
  namespace: "scheduled-scaler-operator-system",
});
