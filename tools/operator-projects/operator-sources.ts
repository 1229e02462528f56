/**
 * The sources of the operators in operators/ that people read to understand one: API and controller, without tests and
 * without the few lines that make a process of it. sizes.test.ts measures them and compares their functions.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const OPERATORS = join(import.meta.dirname, "..", "..", "operators");
/** What starts a process: flags and signals are the library's. */
const ENTRIES = new Set(["src/main.ts", "src/low-level.ts"]);

/** One function of an operator. */
export interface OperatorFunction {
  readonly operator: string;
  readonly name: string;
  /** Its text with every identifier in the order of its first use, so that a renamed copy reads the same. */
  readonly shape: string;
  readonly lines: number;
}

/** The texts of an operator's sources, by path. */
export function sourcesOf(operator: string): ReadonlyMap<string, string> {
  const folder = join(OPERATORS, operator);
  const paths = globSync("src/**/*.ts", { cwd: folder }).filter(
    (path) => !path.endsWith(".test.ts") && !ENTRIES.has(path),
  );
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** The functions of an operator at the top level of its files. */
export function functionsOf(operator: string): readonly OperatorFunction[] {
  return [...sourcesOf(operator).values()].flatMap((text) =>
    Array.from(text.matchAll(/^(?:export )?(?:async )?function (\w+)[\s\S]*?^}$/gm), ([body, name = ""]) => ({
      operator,
      name,
      shape: shapeOf(body),
      lines: body.split("\n").length,
    })),
  );
}

function shapeOf(text: string): string {
  const numbers = new Map<string, number>();
  return text.replace(/\s+/g, " ").replace(/\b[A-Za-z_]\w*\b/g, (word) => {
    if (!numbers.has(word)) numbers.set(word, numbers.size);
    return `#${numbers.get(word)}`;
  });
}
