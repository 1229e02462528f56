/** Rows of the kinds of dynamic resource allocation. */
import type { ApiObject } from "../../resource/object.ts";
import { age, type KindPrinter, nameOf, printer } from "../columns.ts";
import { listAt, textAt, valueAt } from "../fields.ts";

const namePrinter: KindPrinter = printer("Name|Age", (object, context) => [nameOf(object), age(object, context)]);

/** Printers by qualified resource name. */
export const devicePrinters: Readonly<Record<string, KindPrinter>> = {
  "deviceclasses.resource.k8s.io": namePrinter,
  "resourceclaimtemplates.resource.k8s.io": namePrinter,
  "resourceclaims.resource.k8s.io": printer("Name|State|Age", (object, context) => [
    nameOf(object),
    claimState(object),
    age(object, context),
  ]),
  "resourceslices.resource.k8s.io": printer("Name|Node|Driver|Pool|Age", (object, context) => [
    nameOf(object),
    textAt(object, "spec.nodeName"),
    textAt(object, "spec.driver"),
    textAt(object, "spec.pool.name"),
    age(object, context),
  ]),
};

function claimState(claim: ApiObject): string {
  const isAllocated = valueAt(claim, "status.allocation") !== undefined;
  const isDeleted = claim.metadata.deletionTimestamp !== undefined;
  const isReserved = isAllocated && listAt(claim, "status.reservedFor").length > 0;
  return [
    ...(isDeleted ? ["deleted"] : []),
    ...(isAllocated ? ["allocated"] : isDeleted ? [] : ["pending"]),
    ...(isReserved ? ["reserved"] : []),
  ].join(",");
}
