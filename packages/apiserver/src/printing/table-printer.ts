/**
 * The printer of a server: how objects become the Table that kubectl shows. Servers that nobody asks for tables do not
 * load how kinds are printed (kind-printer.ts).
 */
import type { Clock } from "@kubewright/core/ports";
import type { TablePrinter } from "./print-request.ts";

/** Makes the printer of a server; it is loaded with the first table. */
export function createTablePrinter(clock: Clock): TablePrinter {
  let loading: Promise<TablePrinter> | undefined;
  return async (resource, request) => {
    loading ??= import("./kind-printer.ts").then(({ createKindPrinter }) => createKindPrinter(clock));
    return (await loading)(resource, request);
  };
}
