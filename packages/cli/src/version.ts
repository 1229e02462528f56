/** The versions that scaffolds name: those this release was tested with. A test compares them with the repository's. */

/** The version of all Kubewright packages. */
export const VERSION = "0.1.0";

/** What scaffolded projects depend on beside Kubewright. */
export const TESTED_VERSIONS: Readonly<Record<"zod" | "typescript" | "@types/node", string>> = {
  zod: "4.6.7",
  typescript: "7.0.2",
  "@types/node": "24.19.2",
};
