/** Scripts that complete command lines in shells. Words come from the specs, which hold plain names only. */
import { usageError } from "./command-error.ts";
import type { CommandSpec } from "./command-spec.ts";

const COMMON_FLAGS = ["--output", "--help"];

/** The script for a shell. */
export function completionScript(shell: string, specs: readonly CommandSpec[]): string {
  if (shell === "bash") return bashScript(specs);
  if (shell === "zsh") return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(specs)}`;
  if (shell === "fish") return fishScript(specs);
  throw usageError(`there are no completions for ${JSON.stringify(shell)}`, "choose bash, zsh or fish");
}

function bashScript(specs: readonly CommandSpec[]): string {
  const cases = [...wordsByPrefix(specs)].map(
    ([prefix, words]) => `    ${JSON.stringify(prefix)}) words="${words}" ;;`,
  );
  return `_kubewright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) line="\${line:+$line }$word" ;; esac
  done
  case "$line" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _kubewright kubewright`;
}

/** What may follow each beginning: the next word of commands, or the flags of a whole one. */
function wordsByPrefix(specs: readonly CommandSpec[]): ReadonlyMap<string, string> {
  const words = new Map<string, Set<string>>();
  const add = (prefix: string, word: string): void => {
    words.set(prefix, (words.get(prefix) ?? new Set()).add(word));
  };
  for (const spec of specs) {
    const parts = spec.name.split(" ");
    parts.forEach((part, index) => {
      add(parts.slice(0, index).join(" "), part);
    });
    for (const flag of [...flagsOf(spec), ...COMMON_FLAGS]) add(spec.name, flag);
  }
  return new Map([...words].map(([prefix, each]) => [prefix, [...each].join(" ")]));
}

function fishScript(specs: readonly CommandSpec[]): string {
  const lines = specs.flatMap((spec) => {
    const [first = "", second] = spec.name.split(" ");
    const at =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const summary = `-d ${quote(spec.summary)}`;
    const names =
      second === undefined
        ? [`complete -c kubewright -n __fish_use_subcommand -a ${first} ${summary}`]
        : [
            `complete -c kubewright -n __fish_use_subcommand -a ${first}`,
            `complete -c kubewright -n "__fish_seen_subcommand_from ${first}" -a ${second} ${summary}`,
          ];
    return [...names, ...flagsOf(spec).map((flag) => `complete -c kubewright -n "${at}" -l ${flag.slice(2)}`)];
  });
  return ["complete -c kubewright -f", ...new Set(lines)].join("\n");
}

function flagsOf({ flags = [] }: CommandSpec): readonly string[] {
  return flags.flatMap((flag) => flag.flags.match(/--[a-z-]+/g) ?? []);
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
