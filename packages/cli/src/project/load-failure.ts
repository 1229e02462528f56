/**
 * What a command says when sources of a project cannot be loaded. Node.js names the file and the line of a mistake in the stack alone, while the file
 * that a command loads is rarely the one to correct. Used by load-config.ts and load-project.ts.
 */
import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { CommandError } from "../command/command-error.ts";

/** The error for `file` of the project in `folder`, which failed with `cause`. */
export function loadFailure(file: string, folder: string, cause: unknown): CommandError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const place = cause instanceof Error ? placeIn(cause.stack ?? "", folder) : undefined;
  return new CommandError(`${file} cannot be loaded: ${place === undefined ? "" : `${place}: `}${why}`, {
    remedy: "npm run check shows type errors; npm install brings missing packages",
    cause,
  });
}

/** The first line of the project's own sources in a stack, as "src/main.ts:3"; undefined where there is none. */
function placeIn(stack: string, folder: string): string | undefined {
  const start = `${pathToFileURL(realpathSync(folder)).href}/`;
  for (const [, url = "", line] of stack.matchAll(/(file:\/\/[^\s?]+?)(?:\?[^\s:]*)?:(\d+)/g)) {
    if (url.startsWith(start) && !url.includes("/node_modules/"))
      return `${decodeURI(url.slice(start.length))}:${line}`;
  }
  return undefined;
}
