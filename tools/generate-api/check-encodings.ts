/**
 * Kubernetes' modules carry one object of every kind, with every field set, as protobuf and as JSON. Reading the first
 * must give the second, and writing the second as Go writes it must change nothing: a check of the whole table of types.
 */
import { globSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { groupVersionKindOf, type JsonObject, parseJson } from "@kubewright/core/meta";
import { decodeProtobuf } from "@kubewright/core/protocol";
import { protobufMessageOf } from "../../packages/api/src/protobuf.ts";
import { withZeroValues } from "../../packages/api/src/zero-values.ts";
import { moduleDirectory } from "./go-facts.ts";

const SAMPLES: readonly (readonly [module: string, folder: string])[] = [
  ["k8s.io/api", "testdata/HEAD"],
  ["k8s.io/apiextensions-apiserver", "pkg/apis/testdata/HEAD"],
];

/** One line for each kind that is read or written differently from Go; empty if none is. */
export function wrongEncodings(): string[] {
  const files = SAMPLES.flatMap(([module, folder]) => globSync(`${moduleDirectory(module)}/${folder}/*.pb`));
  return files.flatMap((file) => {
    const json = parseJson(readFileSync(file.replace(/pb$/, "json"))) as JsonObject;
    return isKnown(json) ? compare(json, readFileSync(file)) : [];
  });
}

function isKnown({ apiVersion, kind }: JsonObject): boolean {
  return protobufMessageOf(String(apiVersion), String(kind)) !== undefined;
}

function compare(json: JsonObject, body: Uint8Array): string[] {
  const { group, version, kind } = groupVersionKindOf(json);
  const write = (object: JsonObject) => withZeroValues({ group, version, kind }, object);
  const problems = [];
  if (!isDeepStrictEqual(write(decodeProtobuf(body, protobufMessageOf)), json)) problems.push("protobuf");
  if (!isDeepStrictEqual(write(json), json)) problems.push("JSON");
  return problems.map((encoding) => `${group}/${version} ${kind}: its ${encoding} is not read as Go reads it`);
}
