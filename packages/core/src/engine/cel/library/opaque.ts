/** How the libraries of Kubernetes make values of their own types. */
import { type CelType, parseType } from "../cel-type.ts";
import type { OpaqueValue, Value } from "../values.ts";

/** A type of values that only a library understands. */
export interface OpaqueType<Data> {
  make(data: Data): OpaqueValue;
  dataOf(value: Value | undefined): Data;
}

/** Declares such a type: its name, how a value is shown and, unless the text tells, when two are equal. */
export function opaqueType<Data>(
  name: string,
  show: (data: Data) => string,
  same: (left: Data, right: Data) => boolean = (left, right) => show(left) === show(right),
): OpaqueType<Data> {
  const type: CelType = parseType(name);
  return {
    make: (data) => ({
      kind: "opaque",
      type,
      data,
      text: show(data),
      // Only values of the same type are compared, and all of them were made here.
      equals: (other) => same(data, other.data as Data),
    }),
    dataOf: (value) => (value as OpaqueValue).data as Data,
  };
}
