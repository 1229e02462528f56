/** The arguments of `npm test` and `npm run test:real`: paths, and flags that go to `node --test`. Flags that Node.js would refuse end the run. */
import { spawnSync } from "node:child_process";

/** What was asked for. */
export interface TestArguments {
  readonly paths: readonly string[];
  readonly flags: readonly string[];
}

/**
 * The arguments of this process; `own` flags are not for Node.js. Asked for help it ends with the usage, and with code 2 and the usage where
 * there is a flag that it does not know.
 */
export function testArguments(usage: string, own: readonly string[] = []): TestArguments {
  const given = process.argv.slice(2);
  if (given.some((argument) => argument === "--help" || argument === "-h")) {
    console.log(`usage: ${usage}`);
    process.exit(0);
  }
  const flags = given.filter((argument) => argument.startsWith("-"));
  const problem = flagProblem(flags.filter((flag) => !own.includes(flag)));
  if (problem !== undefined) {
    console.error(`${problem}\nusage: ${usage}`);
    process.exit(2);
  }
  return { paths: given.filter((argument) => !argument.startsWith("-")), flags };
}

/** What Node.js has against flags: it alone knows which there are. */
function flagProblem(flags: readonly string[]): string | undefined {
  if (flags.length === 0) return undefined;
  const { status, stderr } = spawnSync(process.execPath, [...flags, "--version"], { encoding: "utf8" });
  if (status === 0) return undefined;
  const reason = stderr.trim().slice(`${process.execPath}: `.length);
  return reason.replace(/^bad option:/, "unknown flag");
}
