/** `kubewright doctor`: looks for what commonly goes wrong on this machine, in this project and in the cluster. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import type { CommandSpec } from "../command/command-spec.ts";

/** The command. */
export const doctor: CommandSpec = {
  name: "doctor",
  summary: "look for what commonly goes wrong",
  description: "Checks this machine, the project and the cluster; ends with code 3 when it finds a problem.",
  flags: CLUSTER_FLAGS,
  examples: ["kubewright doctor", "kubewright doctor -o json"],
  async run(input, context) {
    const { examine } = await import("../doctor/examine.ts");
    const findings = await examine(input, context);
    const lines = findings.flatMap(({ state, what, remedy }) => [
      `${MARKS[state]} ${what}`,
      ...(remedy === undefined ? [] : [`  ${remedy}`]),
    ]);
    const differs = findings.some(({ state }) => state === "problem");
    return { text: lines.join("\n"), data: { findings }, differs };
  },
};

const MARKS = { fine: "✓", problem: "✗", unknown: "–" } as const;
