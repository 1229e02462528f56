/**
 * No file imports itself through others, and no two folders of a package import each other. Type imports count: a cycle
 * of types is erased at run time, but neither file can be understood, moved or tested without the other.
 */
import { findingAt, type Repository, type Rule, type SourceFile } from "../repository.ts";

/** The rule about import cycles. */
export const cycles: Rule = {
  name: "cycle",
  *check(repository) {
    for (const path of cyclesOf(importGraph(repository, (file) => file.path))) {
      yield describe(repository, path, "move what both need into a third file");
    }
    const folders = importGraph(repository, folderOf);
    for (const path of cyclesOf(folders)) {
      yield describe(repository, path, "folders of a package import one way; move what both need to the lower one");
    }
  },
};

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Who imports whom, where nodes are what `nodeOf` says of a file. */
function importGraph(repository: Repository, nodeOf: (file: SourceFile) => string | undefined): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of repository.files) {
    const from = nodeOf(file);
    if (from === undefined) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const { specifier } of file.references) {
      const target = specifier.startsWith(".") ? repository.resolve(file, specifier) : undefined;
      const to = target && nodeOf(target);
      if (to !== undefined && (to !== from || target === file)) targets.add(to);
    }
  }
  return graph;
}

/** One cycle for each edge that closes one, as a path that starts and ends with the same node. */
function cyclesOf(graph: Graph): readonly (readonly string[])[] {
  const found: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): void => {
    const start = path.indexOf(node);
    if (start !== -1) found.push([...path.slice(start), node]);
    if (start !== -1 || done.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return found;
}

/** The finding for one cycle, at the import that closes it. */
function describe(repository: Repository, path: readonly string[], remedy: string) {
  const [last = "", first = ""] = path.slice(-2);
  const isWithin = (file: SourceFile, node: string): boolean => file.path === node || file.path.startsWith(`${node}/`);
  for (const file of repository.files.filter((candidate) => isWithin(candidate, last))) {
    for (const { specifier, offset } of file.references) {
      const target = repository.resolve(file, specifier);
      if (target && isWithin(target, first))
        return findingAt(file, offset, `import cycle ${path.join(" → ")}; ${remedy}`);
    }
  }
  return { path: last, line: 1, message: `import cycle ${path.join(" → ")}; ${remedy}` };
}

/** The folder below a package's src; tests are left out, as they may look at any folder. */
function folderOf(file: SourceFile): string | undefined {
  return file.isTest ? undefined : file.path.match(/^(packages\/[^/]+\/src\/[^/]+)\//)?.[1];
}
