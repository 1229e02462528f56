/** Strategies of a type that is not known, refused as a whole. */
import { type FieldError, fieldNotSupported } from "@kubewright/core/protocol";

/** What is wrong with a strategy of an unknown type. */
export function unknownStrategy(field: string, type: string, supported: readonly string[]): FieldError {
  const given = JSON.stringify({ Type: type, RollingUpdate: null });
  const list = supported.map((name) => JSON.stringify(name)).join(", ");
  return {
    ...fieldNotSupported(field, type, supported),
    message: `Unsupported value: ${given}: supported values: ${list}`,
  };
}
