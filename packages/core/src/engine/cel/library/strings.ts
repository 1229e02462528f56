/** Functions on texts: those of the language and cel-go's extension, version 2. Positions count code points. */
import { CelError } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import { itemsOf, type ListValue, listOf, type Value } from "../values.ts";
import { search, traversal } from "./costs.ts";
import { formatText } from "./strings-format.ts";

function text(value: Value | undefined): string {
  return value as string;
}

/** Code points; for texts without surrogates, positions are those of JavaScript. */
function pointsOf(value: string): string | string[] {
  return /[\ud800-\udfff]/.test(value) ? Array.from(value) : value;
}

function slice(points: string | string[], start: number, end?: number): string {
  return typeof points === "string" ? points.slice(start, end) : points.slice(start, end).join("");
}

function outOfRange(position: bigint): CelError {
  return new CelError(`index out of range: ${position}`);
}

function charAt([value, position]: readonly Value[]): Value {
  const points = pointsOf(text(value));
  const index = position as bigint;
  if (index < 0n || index > BigInt(points.length)) throw outOfRange(index);
  return points[Number(index)] ?? "";
}

function substring([value, start, end]: readonly Value[]): Value {
  const points = pointsOf(text(value));
  const size = BigInt(points.length);
  const [from, to] = [start as bigint, (end ?? size) as bigint];
  if (from < 0n || from > size) throw outOfRange(from);
  if (to < 0n || to > size) throw outOfRange(to);
  if (from > to) throw new CelError(`invalid substring range. start: ${from}, end: ${to}`);
  return slice(points, Number(from), Number(to));
}

/** The position of a piece, in code points, from a UTF-16 position. */
function pointIndex(value: string, unitIndex: number): bigint {
  return BigInt(unitIndex < 0 ? -1 : pointsOf(value.slice(0, unitIndex)).length);
}

function unitIndex(value: string, position: bigint): number {
  const points = pointsOf(value);
  return slice(points, 0, Number(position)).length;
}

function indexOf([value, piece, from]: readonly Value[]): Value {
  const whole = text(value);
  const start = (from ?? 0n) as bigint;
  if (text(piece) === "") return start;
  if (start < 0n) throw outOfRange(start);
  if (from !== undefined && start >= BigInt(pointsOf(whole).length)) return -1n;
  return pointIndex(whole, whole.indexOf(text(piece), unitIndex(whole, start)));
}

function lastIndexOf([value, piece, from]: readonly Value[]): Value {
  const whole = text(value);
  const size = BigInt(pointsOf(whole).length);
  if (text(piece) === "") return (from ?? size) as bigint;
  const last = (from ?? size) as bigint;
  if (last < 0n) throw outOfRange(last);
  if (from !== undefined && last >= size) return -1n;
  return pointIndex(whole, whole.lastIndexOf(text(piece), unitIndex(whole, last)));
}

function replace([value, from, to, limit]: readonly Value[]): Value {
  const count = limit === undefined ? -1n : (limit as bigint);
  if (count < 0n) return text(value).replaceAll(text(from), () => text(to));
  let left = count;
  return text(value).replaceAll(text(from), (found) => {
    left -= 1n;
    return left >= 0n ? text(to) : found;
  });
}

function split([value, separator, limit]: readonly Value[]): Value {
  const count = limit === undefined ? -1n : (limit as bigint);
  if (count === 0n) return listOf([]);
  const parts = text(separator) === "" ? Array.from(text(value)) : text(value).split(text(separator));
  if (count < 0n || BigInt(parts.length) <= count) return listOf(parts);
  const kept = Number(count) - 1;
  return listOf([...parts.slice(0, kept), parts.slice(kept).join(text(separator))]);
}

function join([list, separator]: readonly Value[]): Value {
  const parts = itemsOf(list as ListValue);
  if (!parts.every((part) => typeof part === "string")) throw new CelError("no such overload");
  return parts.join(separator === undefined ? "" : text(separator));
}

const quoteEscapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quoteText(value: string): string {
  return `"${Array.from(value, (character) => quoteEscapes[character] ?? character).join("")}"`;
}

const asciiSpace = "[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const leading = new RegExp(`^${asciiSpace}+`);
const trailing = new RegExp(`${asciiSpace}$`);

function trim(value: string): string {
  let end = value.length;
  while (end > 0 && trailing.test(value[end - 1] ?? "")) end -= 1;
  return value.slice(0, end).replace(leading, "");
}

/** All functions on texts. */
export const strings: readonly Declaration[] = [
  declare("string->contains(string) bool", ([value, piece]) => text(value).includes(text(piece)), search),
  declare("string->startsWith(string) bool", ([value, piece]) => text(value).startsWith(text(piece)), traversal()),
  declare("string->endsWith(string) bool", ([value, piece]) => text(value).endsWith(text(piece)), traversal()),
  declare("string->charAt(int) string", charAt, traversal()),
  declare("string->indexOf(string) int", indexOf, traversal()),
  declare("string->indexOf(string, int) int", indexOf, traversal()),
  declare("string->lastIndexOf(string) int", lastIndexOf, traversal()),
  declare("string->lastIndexOf(string, int) int", lastIndexOf, traversal()),
  declare(
    "string->lowerAscii() string",
    ([value]) => text(value).replace(/[A-Z]+/g, (part) => part.toLowerCase()),
    traversal(),
  ),
  declare(
    "string->upperAscii() string",
    ([value]) => text(value).replace(/[a-z]+/g, (part) => part.toUpperCase()),
    traversal(),
  ),
  declare("string->replace(string, string) string", replace, traversal(2)),
  declare("string->replace(string, string, int) string", replace, traversal(2)),
  declare("string->split(string) list(string)", split, traversal(2)),
  declare("string->split(string, int) list(string)", split, traversal(2)),
  declare("string->substring(int) string", substring, traversal()),
  declare("string->substring(int, int) string", substring, traversal()),
  declare("string->trim() string", ([value]) => trim(text(value)), traversal()),
  declare("list(string)->join() string", join, ([list]) => Math.max(1, (list as ListValue).size)),
  declare("list(string)->join(string) string", join, ([list]) => Math.max(1, (list as ListValue).size)),
  declare(
    "string->format(list(dyn)) string",
    ([format, args]) => formatText(text(format), itemsOf(args as ListValue)),
    traversal(),
  ),
  declare("strings.quote(string) string", ([value]) => quoteText(text(value)), traversal()),
];
