/**
 * The options of create, update, patch and delete: dry run, field manager, field validation. Read from the query,
 * checked as Kubernetes does, and turned into the registry's `WriteRequest`.
 */
import type { JsonObject } from "@kubewright/core/meta";
import {
  type FieldError,
  type FieldValidation,
  fieldInvalid,
  fieldNotSupported,
  fieldTooLong,
  invalidError,
  type PatchOptions,
  parsePatchOptions,
} from "@kubewright/core/protocol";
import { shapeOf } from "../registry/shape.ts";
import type { WriteRequest } from "../registry/write-request.ts";
import type { ResourceCall } from "./call.ts";

const FIELD_MANAGER_LENGTH_MAX = 128;

/** Which options a verb takes. */
export type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions";

/** The write that a call asks for; at once unless its kind was never written. Throws a 422 for bad options. */
export function toWriteRequest(
  call: ResourceCall,
  kind: OptionsKind,
  asked: AskedWrite = {},
): WriteRequest | Promise<WriteRequest> {
  const shape = shapeOf(call.resource);
  if (!(shape instanceof Promise)) return writeRequest(call, kind, { asked, shape });
  return shape.then((loaded) => writeRequest(call, kind, { asked, shape: loaded }));
}

/** What an endpoint knows of a write beside the call. */
export interface AskedWrite extends Pick<WriteRequest, "isCanonical" | "seesOwners"> {
  /** @default the name in the path */
  readonly name?: string;
}

function writeRequest(
  call: ResourceCall,
  kind: OptionsKind,
  { asked, shape }: Pick<WriteRequest, "shape"> & { readonly asked: AskedWrite },
): WriteRequest {
  const { request, info, resource } = call;
  const { dryRun = [], fieldManager = "" } = readWriteOptions(call, kind);
  return {
    resource,
    subresource: info.subresource,
    namespace: resource.definition.scope === "Namespaced" ? info.namespace : "",
    name: asked.name ?? info.name,
    user: request.user,
    dryRun: dryRun.length > 0,
    fieldManager: fieldManager === "" ? managerOfUserAgent(request.headers["user-agent"] ?? "") : fieldManager,
    options: admittedOptions(call, kind),
    shape,
    ownership: "track",
    seesOwners: asked.seesOwners === true,
    isCanonical: asked.isCanonical === true,
    isReplacement: kind === "UpdateOptions",
    warnings: request.warnings,
    signal: request.signal,
  };
}

/** The write of an update or a patch that finds nothing there to change. */
export function toCreation(write: WriteRequest): WriteRequest {
  return { ...write, options: { ...write.options, kind: "CreateOptions" } };
}

/** The options of a write; a body is only looked at when they are good. Throws a 422 for bad ones. */
export function readWriteOptions({ info }: ResourceCall, kind: OptionsKind): PatchOptions {
  const { given, errors } = readOptions(info.query);
  if (kind === "DeleteOptions") return given.dryRun === undefined ? {} : { dryRun: given.dryRun };
  requireValidOptions(kind, errors);
  return given;
}

interface ReadOptions {
  readonly given: PatchOptions;
  readonly errors: readonly FieldError[];
  /** What admission is shown of them, by their kind; made when they are first asked for. */
  readonly admitted: Map<OptionsKind, JsonObject>;
}

const readQueries = new WeakMap<URLSearchParams, ReadOptions>();

/** The options of a query and what is wrong with them. Clients send the same few queries with every write. */
function readOptions(query: URLSearchParams): ReadOptions {
  const known = readQueries.get(query);
  if (known !== undefined) return known;
  const given = parsePatchOptions(query);
  const { dryRun = [], fieldManager = "", fieldValidation = "" } = given;
  const errors = [
    ...validateDryRun(dryRun),
    ...validateFieldManager(fieldManager),
    ...validateFieldValidation(fieldValidation),
  ];
  const read = { given, errors, admitted: new Map() };
  readQueries.set(query, read);
  return read;
}

/** The options of a write as admission shows them. */
function admittedOptions(call: ResourceCall, kind: OptionsKind): JsonObject {
  const { admitted } = readOptions(call.info.query);
  const known = admitted.get(kind);
  if (known !== undefined) return known;
  const { force: _, ...options } = readWriteOptions(call, kind);
  const shown = { kind: kind === "PatchOptions" ? "UpdateOptions" : kind, apiVersion: "meta.k8s.io/v1", ...options };
  admitted.set(kind, shown);
  return shown;
}

/** Throws a 422 when there are errors. */
export function requireValidOptions(kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ group: "meta.k8s.io", kind, name: "" }, errors);
}

/** How strictly the query asks to treat unknown fields. */
export function fieldValidationOf(query: URLSearchParams): FieldValidation {
  const value = query.get("fieldValidation") ?? "";
  return value === "" ? "Warn" : (value as FieldValidation);
}

/** What is wrong with the values of `dryRun`. */
export function validateDryRun(values: readonly string[]): FieldError[] {
  return values.every((value) => value === "All") ? [] : [fieldNotSupported("dryRun", [...values], ["All"])];
}

function validateFieldManager(manager: string): FieldError[] {
  if ([...manager].length > FIELD_MANAGER_LENGTH_MAX) return [fieldTooLong("fieldManager", FIELD_MANAGER_LENGTH_MAX)];
  const position = manager.search(/[\p{C}\p{Zl}\p{Zp}]/u);
  if (position < 0) return [];
  const code = (manager.codePointAt(position) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const before = Buffer.byteLength(manager.slice(0, position));
  return [fieldInvalid("fieldManager", manager, `invalid character U+${code} (at position ${before})`)];
}

function validateFieldValidation(value: string): FieldError[] {
  if (value === "" || value === "Ignore" || value === "Warn" || value === "Strict") return [];
  return [fieldNotSupported("fieldValidation", value, ["", "Ignore", "Strict", "Warn"])];
}

function managerOfUserAgent(userAgent: string): string {
  return userAgent === "" ? "" : (userAgent.split("/", 1)[0] ?? "").slice(0, FIELD_MANAGER_LENGTH_MAX);
}
