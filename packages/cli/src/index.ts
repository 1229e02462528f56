/** `@kubewright/cli`: the parts of the kubewright command, for tools that build on them. */
export { type DemoOptions, type DemoPorts, runDemo } from "./demo/run-demo.ts";
export { loadOperator, type OperatorProject } from "./project/load-operator.ts";
