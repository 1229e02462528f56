/** The files of a new project, as texts. Little is generated: what an operator does by itself is in the library. */
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../image/node-flags.ts";
import { TESTED_VERSIONS, VERSION } from "../version.ts";
import type { FileChange } from "./file-change.ts";

/** What a new project is called and who it belongs to. */
export interface ProjectNames {
  readonly name: string;
  readonly domain: string;
  readonly owner?: string | undefined;
  readonly license: ProjectLicense;
}

/** Under which license a project is. */
export type ProjectLicense = "apache2" | "none";

/** The value of "license" in package.json. */
export const LICENSES: Readonly<Record<ProjectLicense, string>> = { apache2: "Apache-2.0", none: "UNLICENSED" };

/** All files of a new project. */
export function projectFiles(names: ProjectNames): readonly FileChange[] {
  const texts: readonly (readonly [path: string, text: string])[] = [
    [".github/workflows/ci.yaml", WORKFLOW],
    [".dockerignore", "node_modules\n.kubewright\ndist\n.git\n"],
    [".gitignore", "node_modules\n.kubewright\ndist\n"],
    ["Dockerfile", DOCKERFILE],
    ["README.md", readme(names)],
    ["kubewright.config.ts", config(names)],
    ["package.json", `${JSON.stringify(manifest(names), undefined, 2)}\n`],
    ["src/main.ts", MAIN],
    ["tsconfig.json", `${JSON.stringify(TSCONFIG, undefined, 2)}\n`],
  ];
  return texts.map(([path, text]) => ({ action: "create", path, text }));
}

function manifest({ name, owner, license }: ProjectNames): object {
  return {
    name,
    version: "0.1.0",
    private: true,
    license: LICENSES[license],
    ...(owner === undefined ? {} : { author: owner }),
    type: "module",
    engines: { node: ">=24" },
    scripts: {
      start: "node src/main.ts",
      dev: "kubewright dev",
      test: 'node --test "src/**/*.test.ts"',
      check: "tsc",
      manifests: "kubewright manifests",
    },
    dependencies: { kubewright: VERSION, zod: TESTED_VERSIONS.zod },
    devDependencies: {
      "@kubewright/cli": VERSION,
      "@kubewright/testing": VERSION,
      "@types/node": TESTED_VERSIONS["@types/node"],
      typescript: TESTED_VERSIONS.typescript,
    },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "esnext.disposable"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src", "kubewright.config.ts"],
};

function config({ name, domain }: ProjectNames): string {
  return `/** What the kubewright command knows about this project. */
import { defineConfig } from "@kubewright/cli/config";

export default defineConfig({
  name: ${JSON.stringify(name)},
  domain: ${JSON.stringify(domain)},
  image: ${JSON.stringify(`${name}:v0.1.0`)},
  namespace: ${JSON.stringify(`${name}-system`)},
});
`;
}

const MAIN = `/** The operator: \`node src/main.ts --help\` shows its flags. */
import { runOperator } from "kubewright";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [] };

if (import.meta.main) await runOperator(operator);
`;

/** The same content as \`kubewright image build\`: the operator in one file, on a base with Node.js, not as root. */
const DOCKERFILE = `ARG BASE_IMAGE=node:24-slim

FROM node:24-slim AS build
WORKDIR /project
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npx kubewright image bundle --file /out/main.js

FROM \${BASE_IMAGE}
ENV ${Object.entries(NODE_ENVIRONMENT)
  .map(([name, value]) => `${name}=${value}`)
  .join(" ")}
WORKDIR /app
COPY --from=build /out/main.js /app/main.js
USER 65532:65532
ENTRYPOINT [${["node", ...NODE_FLAGS, "/app/main.js"].map((each) => JSON.stringify(each)).join(", ")}]
`;

const WORKFLOW = `name: ci
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
          cache: npm
      - run: npm ci --ignore-scripts
      - run: npm run check
      - run: npm test
      - run: npx kubewright manifests --check
`;

function readme({ name }: ProjectNames): string {
  return `# ${name}

A Kubernetes operator, written with Kubewright.

| command | what it does |
|---|---|
| \`npx kubewright create api --group cache --version v1alpha1 --kind Memcached\` | adds a kind with its controller and a test |
| \`npm run dev\` | runs the operator on an embedded cluster, and again after each change |
| \`npm test\` | runs the tests, each on a cluster of its own; needs no Docker |
| \`npm run manifests\` | derives CRDs, RBAC and the installation from the code, into config/ |
| \`npx kubewright install\`, \`npx kubewright run\` | runs the operator here against the cluster of your kubeconfig |
| \`npx kubewright deploy --image …\` | installs the operator in that cluster |

\`src/api\` says what the kinds look like, \`src/controllers\` what is done about them. Files in \`config/\` are generated;
your changes to them belong in \`config/patches\`.
`;
}
