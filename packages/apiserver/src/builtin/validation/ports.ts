/** Ports by name or number. */
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";
import { validatePort } from "./fields.ts";

const PORT_NAME_LENGTH_MAX = 15;

/** What is wrong with the name of a port (an IANA service name). */
export function validatePortName(name: string): readonly string[] {
  const errors: string[] = [];
  if (name.length > PORT_NAME_LENGTH_MAX) errors.push(`must be no more than ${PORT_NAME_LENGTH_MAX} characters`);
  if (!/^[-a-z0-9]+$/.test(name)) {
    errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name)) errors.push("must contain at least one letter (a-z)");
  if (name.includes("--")) errors.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) errors.push("must not begin or end with a hyphen");
  return errors;
}

/** A port by name or number. */
export function validatePortNumberOrName(field: string, port: number | string | undefined): FieldError[] {
  if (typeof port !== "string") return validatePort(field, port);
  return validatePortName(port).map((text) => fieldInvalid(field, port, text));
}
