/** Cron schedules: why one cannot be followed, in the words of the parser that Kubernetes uses (robfig/cron). */
import { isMalformed, parseDuration } from "@kubewright/core/meta";

const DESCRIPTORS = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

/** What is wrong with a schedule; undefined when it is fine. */
export function scheduleError(schedule: string): string | undefined {
  const text = schedule.replace(/^(?:TZ|CRON_TZ)=\S+\s+/, "");
  if (text.startsWith("@")) return descriptorError(text);
  const fields = text.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [index, bounds] of FIELDS.entries()) {
    const error = fieldError(fields[index] ?? "", bounds);
    if (error !== undefined) return error;
  }
  return undefined;
}

function descriptorError(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith("@every ")) return `unrecognized descriptor: ${text}`;
  try {
    parseDuration(text.slice("@every ".length));
    return undefined;
  } catch (error) {
    if (!isMalformed(error)) throw error;
    return `failed to parse duration ${text}: ${error.message}`;
  }
}

function fieldError(field: string, bounds: Bounds): string | undefined {
  for (const part of field.split(",")) {
    const error = rangeError(part, bounds);
    if (error !== undefined) return error;
  }
  return undefined;
}

function rangeError(expression: string, { min, max, names = [] }: Bounds): string | undefined {
  const [range = "", step, ...steps] = expression.split("/");
  const [low = "", high, ...more] = range.split("-");
  if (more.length > 0) return `too many hyphens: ${expression}`;
  if (steps.length > 0) return `too many slashes: ${expression}`;
  const isAny = low === "*" || low === "?";
  const start = isAny ? min : numberOf(low, names);
  if (typeof start === "string") return start;
  const end = isAny ? max : high === undefined ? (step === undefined ? start : max) : numberOf(high, names);
  if (typeof end === "string") return end;
  const every = step === undefined ? 1 : numberOf(step, []);
  if (typeof every === "string") return every;
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${expression}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return every === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** The number, or what is wrong with it. */
function numberOf(text: string, names: readonly string[]): number | string {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return names.length === 12 ? index + 1 : index;
  if (/^\d+$/.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) return `negative number (${text}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
