/** Kubewright's answer to a case, in the form of the Go program's answers. */
import {
  getKey,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "@kubewright/core/meta";
import {
  applyJsonPatch,
  applyMergePatch,
  applyServerSide,
  applyStrategicMergePatch,
  createMergePatch,
  fromScaleManagedFields,
  toScaleManagedFields,
  trackFieldOwnership,
  type VersionConverter,
} from "@kubewright/core/patch";
import { isApiError } from "@kubewright/core/protocol";
import type { StructuralSchema } from "@kubewright/core/schema";
import type { ApplyStep, OracleCase, Outcome } from "./oracle-case.ts";

/** What our algorithms make of a case. */
export function answerCase(oracleCase: OracleCase): Outcome {
  try {
    return { value: resultOf(oracleCase) };
  } catch (error) {
    if (!isApiError(error)) throw error;
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return { error: cause ?? error.message };
  }
}

/** The schema of the test kind in v2, where spec.size is called spec.count. */
export function schemaOfV2(schema: StructuralSchema): StructuralSchema {
  const { spec = {}, ...others } = schema.properties ?? {};
  const { size, ...fields } = spec.properties ?? {};
  const properties = size === undefined ? fields : { ...fields, count: size };
  return { ...schema, properties: { ...others, spec: { ...spec, properties } } };
}

function resultOf(oracleCase: OracleCase): Json {
  switch (oracleCase.kind) {
    case "json-patch":
      return applyJsonPatch(oracleCase.document, oracleCase.patch);
    case "merge-patch":
      return applyMergePatch(oracleCase.document, oracleCase.patch);
    case "create-merge-patch":
      return createMergePatch(oracleCase.document, oracleCase.patch);
    case "strategic":
      return applyStrategicMergePatch(oracleCase.document, oracleCase.patch, oracleCase.schema);
    case "apply":
      return runSteps(oracleCase);
    case "scale":
      return throughScale(oracleCase.document, oracleCase.patch);
  }
}

function runSteps({ schema, steps, laterSchema, laterFrom }: ApplyCase): Json {
  const early = versionsOf(schema);
  const late = laterSchema === undefined ? early : versionsOf(laterSchema);
  let live: JsonObject | undefined;
  return steps.map((step, index): Json => {
    try {
      const now = `2020-01-01T00:00:${String(index).padStart(2, "0")}Z`;
      const schemas = laterFrom !== undefined && index >= laterFrom ? late : early;
      live = withUid(convert(write(live, step, { schemas, now }), "v1"));
      return { object: live };
    } catch (error) {
      if (!isApiError(error)) throw error;
      const causes = error.status.details?.causes?.map(({ reason, message, field }) => `${reason} ${message} ${field}`);
      const sorted = causes?.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
      return { code: error.code, message: error.message, ...(sorted === undefined ? {} : { causes: sorted }) };
    }
  });
}

function throughScale(parent: Json, scale: Json): Json {
  const paths = new Map<string, readonly string[] | null>([
    ["apps/v1", ["spec", "replicas"]],
    ["apps/v2", ["spec", "size"]],
    ["apps/v3", null],
  ]);
  const merged = fromScaleManagedFields({ parent, scale, apiVersion: "apps/v1", paths });
  return { scale: toScaleManagedFields(parent, paths) ?? null, parent: merged ?? null };
}

type ApplyCase = Extract<OracleCase, { kind: "apply" }>;

function versionsOf(schema: StructuralSchema): ReadonlyMap<string, StructuralSchema> {
  return new Map([
    ["v1", schema],
    ["v2", schemaOfV2(schema)],
  ]);
}

interface WriteContext {
  readonly schemas: ReadonlyMap<string, StructuralSchema>;
  readonly now: string;
}

function write(stored: JsonObject | undefined, step: ApplyStep, { schemas, now }: WriteContext): JsonObject {
  const { version, manager, subresource } = step;
  const live = stored && convert(stored, version);
  const converter: VersionConverter = {
    convert: (object, apiVersion) => {
      const target = apiVersion.replace("example.com/", "");
      const schema = schemas.get(target);
      return schema && { object: convert(object, target), schema };
    },
  };
  const schema = schemas.get(version) as StructuralSchema;
  const resetFields = [[subresource === "" ? "status" : "spec"]];
  const options = { apiVersion: `example.com/${version}`, manager, schema, now, subresource, resetFields, converter };
  if (step.operation === "apply") {
    return applyServerSide({ ...options, live, config: step.config ?? {}, force: step.force ?? false });
  }
  const base = live ?? { apiVersion: `example.com/${version}`, kind: "Thing" };
  return trackFieldOwnership({ ...options, before: live, after: applyMergePatch(base, step.patch ?? {}) });
}

const sizeNames: Readonly<Record<string, string>> = { v1: "size", v2: "count" };

function convert(object: JsonObject, version: string): JsonObject {
  const from = String(object["apiVersion"]).replace("example.com/", "");
  if (from === version) return object;
  const spec = getKey(object, "spec");
  const converted = { ...object, apiVersion: `example.com/${version}` };
  const oldName = sizeNames[from] ?? "";
  if (!isJsonObject(spec) || !Object.hasOwn(spec, oldName)) return converted;
  const renamed: MutableJsonObject = { ...spec };
  delete renamed[oldName];
  setKey(renamed, sizeNames[version] ?? "", getKey(spec, oldName));
  return { ...converted, spec: renamed };
}

function withUid(object: JsonObject): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return metadata["uid"] === undefined ? { ...object, metadata: { ...metadata, uid: "uid-1" } } : object;
}
