/** The imports and re-exports of a module, read from its blanked code (blank.ts) with the names from its text. */

/** One `import` or `export … from`. */
export interface ModuleReference {
  /** What stands between the quotes. */
  readonly specifier: string;
  /** The part between the keyword and `from`: "{ a, type B }", "* as c", "" for dynamic and side-effect imports. */
  readonly clause: string;
  /** True for `export … from`. */
  readonly isReExport: boolean;
  /** Where the statement starts. */
  readonly offset: number;
}

const REFERENCE =
  /(?<![.\w$])(?:(import|export)\b\s*((?:type\s+)?[\w$*{}\s,]*?)\s*\bfrom\s*|(import)\s*\(?\s*)(["'`])/g;

/** Every module that a file refers to, in order. */
export function referencesOf(text: string, code: string): readonly ModuleReference[] {
  return Array.from(code.matchAll(REFERENCE), (match) => {
    const [whole, keyword, clause, , quote = '"'] = match;
    const start = match.index + whole.length;
    return {
      specifier: text.slice(start, text.indexOf(quote, start)),
      clause: clause ?? "",
      isReExport: keyword === "export",
      offset: match.index,
    };
  });
}

/** The names that a clause binds in the importing file: "a" and "C" for `{ a, type B as C }`. */
export function boundNames(clause: string): readonly string[] {
  return clause
    .replace(/^type\s+(?=[\w$*{])/, "")
    .replace(/[{}]/g, ",")
    .split(",")
    .map((part) => part.trim().split(/\s+/).at(-1) ?? "")
    .filter((name) => name !== "" && name !== "*");
}

/** The names that a clause asks of the imported module: "a" and "B" for `{ a, type B as C }`. */
export function importedNames(clause: string): readonly string[] {
  const [, list = ""] = clause.match(/\{([^}]*)\}/) ?? [];
  return list
    .split(",")
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+/)[0] ?? "",
    )
    .filter((name) => name !== "");
}
