/**
 * The options of get, list and watch, read from the query and checked against each other as Kubernetes does. What
 * they mean for reading is in list.ts and watch.ts.
 */
import { isMalformed } from "@kubewright/core/meta";
import {
  badRequest,
  type FieldError,
  fieldForbidden,
  fieldNotSupported,
  invalidError,
  type ListOptions as ListQuery,
  parseListOptions as parseListQuery,
} from "@kubewright/core/protocol";
import { bareError } from "../request/bare-error.ts";
import type { ServedResource } from "../resource/resource.ts";
import { parseSelection, type Selection } from "./selection.ts";

/** What a list or watch asks for. */
export interface ListOptions {
  readonly selection: Selection;
  /** 0 for no limit. */
  readonly limit: number;
  /** "" for a first page. */
  readonly continueToken: string;
  /** "" when absent. */
  readonly resourceVersion: string;
  /** "", "Exact", "NotOlderThan", or what a client made up. */
  readonly resourceVersionMatch: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** 0 when absent. */
  readonly timeoutSeconds: number;
}

/** Reads the options of a query. Throws a 400 for values that cannot be read. */
export function parseListOptions(query: URLSearchParams, resource: ServedResource): ListOptions {
  const given = readQuery(query);
  return {
    selection: parseSelection(given, resource),
    limit: Math.max(0, given.limit ?? 0),
    continueToken: given.continue ?? "",
    resourceVersion: given.resourceVersion ?? "",
    resourceVersionMatch: given.resourceVersionMatch ?? "",
    allowWatchBookmarks: given.allowWatchBookmarks ?? false,
    sendInitialEvents: given.sendInitialEvents,
    timeoutSeconds: Math.max(0, given.timeoutSeconds ?? 0),
  };
}

function readQuery(query: URLSearchParams): ListQuery {
  try {
    return parseListQuery(query);
  } catch (error) {
    throw isMalformed(error) ? badRequest(error.message) : error;
  }
}

/** Throws a 422 for options that contradict each other. */
export function requireValidListOptions(options: ListOptions, isWatch: boolean): void {
  const errors = isWatch ? validateWatchOptions(options) : validateListOptions(options);
  if (errors.length > 0) throw invalidError({ group: "meta.k8s.io", kind: "ListOptions", name: "" }, errors);
}

const forbidMatch = (why: string): FieldError => fieldForbidden("resourceVersionMatch", why);

function validateListOptions(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== "" && resourceVersion === "") {
    errors.push(forbidMatch("resourceVersionMatch is forbidden unless resourceVersion is provided"));
  }
  if (match !== "" && continueToken !== "") {
    errors.push(forbidMatch("resourceVersionMatch is forbidden when continue is provided"));
  }
  if (match !== "" && match !== "Exact" && match !== "NotOlderThan") {
    errors.push(fieldNotSupported("resourceVersionMatch", match, ["Exact", "NotOlderThan", ""]));
  }
  if (match === "Exact" && resourceVersion === "0") {
    errors.push(forbidMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined) {
    errors.push(fieldForbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function validateWatchOptions(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, sendInitialEvents, continueToken } = options;
  const isInitial = sendInitialEvents === undefined && (resourceVersion === "" || resourceVersion === "0");
  const errors: FieldError[] = [];
  if (sendInitialEvents === undefined && match !== "") {
    errors.push(forbidMatch("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidMatch("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match !== "" && match !== "NotOlderThan") {
    errors.push(fieldNotSupported("resourceVersionMatch", match, ["NotOlderThan"]));
  }
  // A watch from the start is one with initial events, whose rules it must follow.
  if (continueToken !== "" && (match !== "" || isInitial)) {
    errors.push(forbidMatch("resourceVersionMatch is forbidden when continue is provided"));
  }
  return errors;
}

/** A resource version as a number; undefined for none. Throws for what is no version: a 400 to lists, else a 500. */
export function parseRevision(resourceVersion: string, verb: string): number | undefined {
  if (resourceVersion === "") return undefined;
  const revision = Number(resourceVersion);
  if (/^\d+$/.test(resourceVersion) && BigInt(resourceVersion) < 2n ** 64n) return revision; // Inexact beyond 2^53.
  const quoted = JSON.stringify(resourceVersion);
  const problem = /^\d+$/.test(resourceVersion) ? "value out of range" : "invalid syntax";
  const why = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${problem}`;
  throw verb === "list" ? badRequest(`invalid resource version: ${why}`) : bareError(500, why);
}
