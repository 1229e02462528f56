/** Plugins of esbuild that make an operator's bundle start faster and smaller, used by bundle-operator.ts. What the operator does stays the same. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Node.js' own modules are taken when the module that asks for them runs, not when the bundle is loaded: esbuild would lift
 * their imports to the top of the one file, those of code that never runs included. Besides, importing node:http as an ES module
 * loads all of fetch for its list of exports, which is a quarter of an operator's start.
 */
export const builtinModules: Plugin = {
  name: "builtin-modules",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "import-statement" || kind === "dynamic-import" ? { path, namespace: "builtin" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: "js",
    }));
  },
};

/** Zod's messages in some fifty languages stay outside, English apart, unless the project's sources speak of them. */
export async function zodLocales(folder: string): Promise<readonly Plugin[]> {
  if (await mentions(join(folder, "src"), "locales")) return [];
  const plugin: Plugin = {
    name: "zod-locales",
    setup(build) {
      build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: 'export { default as en } from "./en.js";',
        loader: "js",
      }));
    },
  };
  return [plugin];
}

async function mentions(folder: string, word: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return texts.some((text) => text.includes(word));
}
