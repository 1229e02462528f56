/** Changes single values in kubewright.config.ts, as text: comments and everything else stay. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, usageError } from "../command/command-error.ts";
import { CONFIG_FILE, loadConfig } from "../project/load-config.ts";
import { imageProblem, labelProblem } from "../project/names.ts";
import type { FileChange } from "./file-change.ts";

/** A key of the configuration and its new value, as given on the command line. */
export interface ConfigValue {
  readonly key: string;
  readonly text: string;
}

/** The change of the file; none when everything is as wanted. */
export async function planEdit(folder: string, values: readonly ConfigValue[]): Promise<readonly FileChange[]> {
  await loadConfig(folder);
  const before = await readFile(join(folder, CONFIG_FILE), "utf8");
  const text = values.reduce((edited, { key, text: value }) => setValue(edited, key, literal(key, value)), before);
  return text === before ? [] : [{ action: "update", path: CONFIG_FILE, text }];
}

function literal(key: string, text: string): string {
  if (key === "prometheus") return text;
  if (key === "replicas") {
    if (!/^[1-9][0-9]?$/.test(text))
      throw usageError(`--replicas ${JSON.stringify(text)} must be a number from 1 to 99`);
    return text;
  }
  const problem = key === "image" ? imageProblem(text) : labelProblem(`the ${key}`, text);
  if (problem !== undefined) throw usageError(problem);
  return JSON.stringify(text);
}

function setValue(text: string, key: string, value: string): string {
  const line = new RegExp(`^(\\s*${key}:\\s*)(?:"[^"\\n]*"|[\\w]+)(,?)`, "m");
  if (line.test(text)) return text.replace(line, (_, start: string, end: string) => `${start}${value}${end}`);
  const end = /^\}\);?\s*$/m;
  if (!end.test(text)) {
    throw new CommandError(`${CONFIG_FILE} does not end with "});", so ${key} cannot be added`, {
      remedy: `add it yourself: ${key}: ${value},`,
    });
  }
  return text.replace(end, (closing) => `  ${key}: ${value},\n${closing}`);
}
