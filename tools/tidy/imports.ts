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
    .map((part) => lastWord(part.trim()))
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

const EXPORT_LIST = /(?<![.\w$])export\s+(type\s+)?\{([^}]*)\}/g;
const EXPORT_DECLARATION =
  /^export\s+(?:declare\s+|abstract\s+|async\s+)*(function\*?|const|let|class|interface|type)\s+([\w$]+)/gm;

/** What a module exports: "name" for a value, "type Name" for a type; a name with both is a value. */
export function exportedNames(code: string): readonly string[] {
  const listed = [...code.matchAll(EXPORT_LIST)].flatMap(([, type, list = ""]) =>
    list
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => (type || part.startsWith("type ") ? `type ${lastWord(part)}` : lastWord(part))),
  );
  const declared = Array.from(code.matchAll(EXPORT_DECLARATION), ([, keyword, name = ""]) =>
    keyword === "interface" || keyword === "type" ? `type ${name}` : name,
  );
  const names = new Set([...listed, ...declared]);
  return [...names].filter((name) => !names.has(name.replace(/^type /, "")) || !name.startsWith("type "));
}

function lastWord(text: string): string {
  return text.split(/\s+/).at(-1) ?? "";
}
