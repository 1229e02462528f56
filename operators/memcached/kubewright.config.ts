/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: "memcached-operator",
  domain: "example.com",
  image: "memcached-operator:v0.1.0",
  namespace: "memcached-operator-system",
});
