/** Plugins of esbuild that make an operator's bundle start faster and smaller, used by bundle-operator.ts. What the operator does stays the same. */
import { readFile } from "node:fs/promises";
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

/**
 * Of zod the bundle has what the project uses: a quarter of it, in one language instead of fifty. `z` is a namespace, of which esbuild leaves
 * out what nobody asks for only where it is imported as one.
 */
export const zodNamespace: Plugin = {
  name: "zod-namespace",
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
      if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
      const text = await readFile(path, "utf8");
      return { contents: importZodAsNamespace(text), loader: "default" };
    });
  },
};

/** `import z from "zod"` or `import { z, … } from "zod"`, on any number of lines. */
const ZOD_IMPORT = /^import (?:z|\{([^{}]*)\}) from (["'])zod\2/gm;

/** The text of a module, with `z` imported as the namespace that it is. */
export function importZodAsNamespace(text: string): string {
  return text.replace(ZOD_IMPORT, (statement, list: string | undefined) => {
    const names = (list ?? "z").split(",").map((name) => name.trim());
    const name = names.map((each) => /^z(?: as (\w+))?$/.exec(each)).find((match) => match !== null);
    if (name === undefined) return statement;
    const others = names.filter((each) => each !== name[0] && each !== "");
    const rest = others.length === 0 ? "" : `; import { ${others.join(", ")} } from "zod"`;
    return `import * as ${name[1] ?? "z"} from "zod"${rest}`;
  });
}
