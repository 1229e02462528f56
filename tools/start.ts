/** `npm start`: shows what a resource definition yields: the source as one writes it, and the CRD derived from it. */
import { readFileSync } from "node:fs";
import { toCrd } from "kubewright";
import { stringify } from "yaml";
import { Memcached } from "./demo/memcached.ts";

const source = readFileSync(new URL("./demo/memcached.ts", import.meta.url), "utf8");

console.log(`# A resource is a value; its TypeScript type is inferred (tools/demo/memcached.ts)\n\n${source}`);
console.log(
  `# Its CRD is derived: no decorators, no comments to parse, no code generation\n\n${stringify(toCrd(Memcached))}`,
);
