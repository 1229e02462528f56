/**
 * A dependency is a decision: each one has a line of reason in docs/dependencies.md, an exact version, and an entry in the
 * manifest of every package that imports it. All packages have one version, and ask for each other at it.
 */
import {
  type Finding,
  findingAt,
  lineAt,
  type Manifest,
  type Repository,
  type Rule,
  type SourceFile,
} from "../repository.ts";

const REASONS = "docs/dependencies.md";
/** A row of the table: "| `name` | reason |". */
const ROW = /^\|\s*`([^`]+)`\s*\|\s*(\S[^|]*?)?\s*\|/gm;
const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
const SIBLING = /^(?:@kubewright\/|kubewright$)/;

/** The rule about dependencies. */
export const dependencies: Rule = {
  name: "dependency",
  *check(repository) {
    const reasons = reasonsOf(repository.textOf(REASONS) ?? "");
    const root = repository.manifests.find((manifest) => manifest.workspace === "");
    for (const manifest of repository.manifests) {
      for (const entry of entriesOf(manifest)) {
        const problem = SIBLING.test(entry.name) ? wrongSibling(entry, root) : wrongEntry(entry, reasons);
        if (problem !== undefined) yield at(manifest, entry.name, problem);
      }
    }
    yield* staleReasons(repository, reasons);
    for (const file of repository.files) yield* undeclared(file, repository.manifests);
  },
};

/** One dependency of one manifest. */
interface Entry {
  readonly section: (typeof SECTIONS)[number];
  readonly name: string;
  readonly range: string;
}

function entriesOf(manifest: Manifest): readonly Entry[] {
  return SECTIONS.flatMap((section) =>
    Object.entries(manifest[section] ?? {}).map(([name, range]) => ({ section, name, range })),
  );
}

function wrongSibling({ name, range }: Entry, root: Manifest | undefined): string | undefined {
  if (root === undefined || range === root.version) return undefined;
  return `${name} is wanted at ${range}; all packages have the version of the root, write ${root.version}`;
}

function wrongEntry({ section, name, range }: Entry, reasons: ReadonlyMap<string, string>): string | undefined {
  if (!reasons.get(name)) return `${name} has no reason; add a row to ${REASONS}, or do without it`;
  if (section === "peerDependencies" || /^\d+\.\d+\.\d+/.test(range)) return undefined;
  return `${name} is wanted at ${range}; write the exact version that was tested`;
}

function* staleReasons(repository: Repository, reasons: ReadonlyMap<string, string>): Iterable<Finding> {
  const used = new Set(repository.manifests.flatMap(entriesOf).map((entry) => entry.name));
  const text = repository.textOf(REASONS) ?? "";
  for (const name of reasons.keys()) {
    if (used.has(name)) continue;
    yield {
      path: REASONS,
      line: lineAt(text, text.indexOf(`\`${name}\``)),
      message: `nothing depends on ${name}; delete its row`,
    };
  }
}

function* undeclared(file: SourceFile, manifests: readonly Manifest[]): Iterable<Finding> {
  const own = manifests.find((manifest) => manifest.workspace === file.workspace);
  const root = manifests.find((manifest) => manifest.workspace === "");
  if (own === undefined) return;
  const declared = new Set(
    [...entriesOf(own), ...(file.isTest && root ? entriesOf(root) : [])].map((entry) => entry.name),
  );
  for (const { specifier, offset } of file.references) {
    const name = packageNameOf(specifier);
    if (name === undefined || name === own.name || declared.has(name)) continue;
    if ((file.workspace === "" || /^packages\/[^/]+\/test(?:-real)?\//.test(file.path)) && SIBLING.test(name)) continue;
    yield findingAt(file, offset, `imports ${name}, which ${own.path} does not list; add it there`);
  }
}

function packageNameOf(specifier: string): string | undefined {
  if (/^(?:[./]|node:|$)/.test(specifier)) return undefined;
  return specifier.match(/^(?:@[^/]+\/)?[^/]+/)?.[0];
}

function reasonsOf(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(ROW), ([, name = "", reason = ""]) => [name, reason]));
}

function at(manifest: Manifest, name: string, message: string): Finding {
  return { path: manifest.path, line: lineAt(manifest.text, manifest.text.indexOf(`"${name}"`)), message };
}
