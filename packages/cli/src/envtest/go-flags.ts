/** Flags as Go programs take them: `--name=value`, `--name value`, `--switch`. The shims read theirs with it. */

/** The values of each flag, in the order given; a flag without a value counts as "true". */
export type GoFlags = ReadonlyMap<string, readonly string[]>;

/** Reads the arguments of a program; anything that is no flag and belongs to none is left out. */
export function parseGoFlags(args: readonly string[]): GoFlags {
  const flags = new Map<string, string[]>();
  for (let index = 0; index < args.length; index++) {
    const match = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(args[index] ?? "");
    if (match === null) continue;
    const [, name = "", given] = match;
    const next = args[index + 1];
    const isNext = given === undefined && next !== undefined && !next.startsWith("-");
    if (isNext) index++;
    flags.set(name, [...(flags.get(name) ?? []), given ?? (isNext ? next : "true")]);
  }
  return flags;
}

/** The last value of a flag, which is the one that counts; undefined when it was not given or is empty. */
export function flagOf(flags: GoFlags, name: string): string | undefined {
  const value = flags.get(name)?.at(-1);
  return value === "" ? undefined : value;
}

/** The values of a flag that takes a list, given at once or one by one. */
export function listFlagOf(flags: GoFlags, name: string): readonly string[] {
  return (flags.get(name) ?? []).flatMap((value) => value.split(",")).filter((value) => value !== "");
}
