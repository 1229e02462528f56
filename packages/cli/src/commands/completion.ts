/** `kubewright completion`: completions for a shell, made of the commands' specs. */
import type { CommandSpec } from "../command/command-spec.ts";

/** The command, for these commands and itself. */
export function createCompletion(specs: readonly CommandSpec[]): CommandSpec {
  const completion: CommandSpec = {
    name: "completion",
    summary: "print completions for a shell",
    description: "Prints a script that completes commands and flags, for bash, zsh or fish.",
    arguments: [{ name: "<shell>", description: "bash, zsh or fish" }],
    examples: [
      "source <(kubewright completion bash)",
      "kubewright completion fish > ~/.config/fish/completions/kubewright.fish",
    ],
    async run({ args }) {
      const { completionScript } = await import("../command/completion-script.ts");
      const [shell = ""] = args;
      const script = completionScript(shell, [...specs, completion]);
      return { text: script, data: { shell, script } };
    },
  };
  return completion;
}
