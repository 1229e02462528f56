/**
 * A write on its way through the registry: what create, update and delete know of the request. Endpoints make one
 * from the HTTP request; strategies and admission plugins see the parts of it that concern them.
 */
import { formatTime, type JsonObject } from "@kubewright/core/meta";
import type { AdmissionRequest } from "../admission/admission.ts";
import type { Warnings } from "../request/request.ts";
import type { User } from "../request/user.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { StrategyContext } from "../resource/strategy.ts";
import type { Backend } from "./backend.ts";
import type { Shape } from "./shape.ts";

/** An object that is written through another one, as a Deployment through its Scale: admission sees the other one. */
export interface AdmittedForm {
  readonly show: (object: ApiObject) => ApiObject;
  /** The object with what plugins changed of its form. */
  readonly take: (object: ApiObject, form: ApiObject) => ApiObject;
}

/** One write of one object. */
export interface WriteRequest {
  readonly resource: ServedResource;
  /** "" on the main resource. */
  readonly subresource: string;
  /** "" for cluster scope. */
  readonly namespace: string;
  /** "" when the name is yet to be generated. */
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** Who owns the written fields from now on. */
  readonly fieldManager: string;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as admission shows them. */
  readonly options: JsonObject;
  readonly shape: Shape;
  /**
   * "track": the manager owns what the write changes; "kept": everybody owns what they did; "settled": the object says
   * already who owns what.
   */
  readonly ownership: "track" | "kept" | "settled";
  /** The change reads or writes managedFields itself. @default false */
  readonly seesOwners?: boolean;
  /** What admission sees: another form of the object, or nothing more when it is over. @default the object */
  readonly admittedAs?: AdmittedForm | "over";
  /** Deletes one object of a collection that is deleted. @default false */
  readonly isOfCollection?: boolean;
  /** The client sent the whole object, so a uid in it says which object it means. @default false */
  readonly isReplacement?: boolean;
  /** The requested object is in canonical form and shares what it can with what is stored. @default false */
  readonly isCanonical?: boolean;
  readonly warnings: Warnings;
  readonly signal: AbortSignal;
}

/** What strategies see of a write. */
export function strategyContext(
  backend: Backend,
  write: WriteRequest,
  operation: StrategyContext["operation"],
): StrategyContext {
  const { subresource, dryRun, user, warnings } = write;
  return {
    operation,
    subresource: subresource === "" ? undefined : subresource,
    dryRun,
    user,
    time: formatTime(backend.clock.now()),
    random: backend.random,
    reader: backend.reader,
    warn: (text) => warnings.add(text),
  };
}

/** What admission plugins see of a write. */
export function admissionRequest(
  backend: Backend,
  write: WriteRequest,
  operation: AdmissionRequest["operation"],
): Omit<AdmissionRequest, "object" | "oldObject"> {
  const { resource, subresource, name, namespace, user, dryRun, options, signal, warnings } = write;
  const warn = (text: string): void => warnings.add(text);
  return {
    operation,
    resource,
    subresource,
    name,
    namespace,
    user,
    dryRun,
    options,
    signal,
    reader: backend.reader,
    warn,
  };
}
