/**
 * Adds a controller to src/main.ts, and takes it out again. Only an import and an entry of the list of controllers
 * change; the rest of the file is the user's. Taking out what was added gives the same text as before.
 */
import { CommandError } from "../command/command-error.ts";

/** Which controller, and where it is. */
export interface ControllerEntry {
  /** "memcachedController" */
  readonly name: string;
  /** "./controllers/memcached.ts" */
  readonly path: string;
}

const LIST = /(\bcontrollers:\s*\[)([^\]]*)(\])/;
const IMPORT = /^import .*;\n/gm;

/** The text of main.ts with the controller in it; the same text when it is there already. */
export function addController(text: string, { name, path }: ControllerEntry): string {
  if (namesIn(text).includes(name)) return text;
  const imports = [...text.matchAll(IMPORT)];
  const last = imports.at(-1);
  if (last === undefined) throw unknownMain("no imports");
  const end = last.index + last[0].length;
  const added = `${text.slice(0, end)}import { ${name} } from ${JSON.stringify(path)};\n${text.slice(end)}`;
  return withNames(added, [...namesIn(text), name]);
}

/** The text of main.ts without the controller. */
export function removeController(text: string, { name }: ControllerEntry): string {
  if (!namesIn(text).includes(name)) return text;
  const without = text.replace(new RegExp(`^import \\{ ${name} \\} from "[^"]*";\\n`, "m"), "");
  return withNames(
    without,
    namesIn(text).filter((each) => each !== name),
  );
}

function namesIn(text: string): readonly string[] {
  const [, , inside] = LIST.exec(text) ?? [];
  if (inside === undefined) throw unknownMain("no list of controllers");
  return inside
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function withNames(text: string, names: readonly string[]): string {
  return text.replace(LIST, (_, open: string, _inside: string, close: string) => open + names.join(", ") + close);
}

function unknownMain(what: string): CommandError {
  return new CommandError(`src/main.ts has ${what}, so the controller cannot be added or removed there`, {
    remedy: "write it as: export const operator = { controllers: [ … ] };",
  });
}
