/** Who may import whom: the table behind the arrow rule. A new package or folder of core gets a line here. */

/** For each package folder, the package folders it may import. */
export const PACKAGE_ARROWS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  node: ["core"],
  api: ["core"],
  runtime: ["core", "node", "api"],
  apiserver: ["core", "node", "api"],
  cluster: ["core", "node", "api", "runtime", "apiserver"],
  testing: ["core", "node", "api", "runtime", "apiserver", "cluster"],
  cli: ["core", "node", "api", "runtime", "apiserver", "cluster", "testing"],
  "create-kubewright": ["cli"],
  kubewright: ["core", "api", "runtime"],
};

/** For each folder of a package's src that has an order, the sibling folders it may import. */
export const FOLDER_ARROWS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    ports: [],
    meta: ["ports"],
    protocol: ["ports", "meta"],
    schema: ["ports", "meta", "protocol"],
    engine: ["ports", "meta", "protocol", "schema"],
    crd: ["ports", "meta", "protocol", "schema", "engine"],
    patch: ["ports", "meta", "protocol", "schema"],
    cron: ["ports", "meta", "protocol", "schema", "engine", "crd"],
  },
};
