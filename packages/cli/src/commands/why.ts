/** `kubewright why`: the last reconciles of an object, and what caused them. */
import { type CommandSpec, textFlag } from "../command/command-spec.ts";

/** The command. */
export const why: CommandSpec = {
  name: "why",
  summary: "show the last reconciles of an object, and what caused them",
  description:
    "Asks the running operator: the one that dev or run started in this folder, or the one at --address. An operator in a " +
    "cluster tells it on loopback only, so forward its port first.",
  arguments: [{ name: "<object>", description: "kind and name: memcached/a" }],
  flags: [
    { flags: "-n, --namespace <namespace>", description: "the namespace of the object, when several have its name" },
    { flags: "--address <address>", description: "the debug server of the operator: 127.0.0.1:8082" },
  ],
  examples: [
    "kubewright why memcached/memcached-sample",
    "kubectl -n memcached-operator-system port-forward deploy/memcached-operator-controller-manager 8082 &\n  $ kubewright why memcached/a --address 127.0.0.1:8082",
  ],
  async run(input, context) {
    const { explainReconciles, parseQuestion, reconcilesOf } = await import("../why/explain-reconciles.ts");
    const { askOperator } = await import("../why/ask-operator.ts");
    const { operatorAddress } = await import("../why/operator-address.ts");
    const { CommandError } = await import("../command/command-error.ts");
    const question = parseQuestion(input.args[0] ?? "", textFlag(input, "namespace"));
    const address = textFlag(input, "address") ?? (await operatorAddress(context));
    const reconciles = reconcilesOf(question, await askOperator(address, context));
    if (reconciles.length === 0) {
      throw new CommandError(`the operator remembers no reconcile of ${input.args[0]}`, {
        remedy:
          "it remembers the last 1000 of all objects; is the name right, and does the operator see its namespace?",
      });
    }
    return { text: explainReconciles(reconciles), data: { reconciles } };
  },
};
