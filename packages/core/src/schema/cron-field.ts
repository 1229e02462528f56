/**
 * The field for cron schedules, so that the API server refuses a wrong one when it is written rather than an operator when
 * it is read. What it accepts, `parseCron` of core/cron reads.
 */
import { createField, type Field } from "./field.ts";
import { cel } from "./rules.ts";

/** Longer ones have hardly a meaning, and a bound keeps the rule cheap. */
const LENGTH_MAX = 200;

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const WEEKDAYS = "sun|mon|tue|wed|thu|fri|sat";
const FIELDS = [
  list("[0-5]?[0-9]"),
  list("[01]?[0-9]|2[0-3]"),
  list("0?[1-9]|[12][0-9]|3[01]"),
  list(`0?[1-9]|1[0-2]|${MONTHS}`),
  list(`[0-7]|${WEEKDAYS}`),
];
const NAMES = "@(hourly|daily|midnight|weekly|monthly|yearly|annually)";
const PATTERN = `(?i)^(${NAMES}|${FIELDS.join(" +")})$`;
const MESSAGE =
  "must be a cron schedule: minute (0-59), hour (0-23), day of month (1-31), month (1-12 or jan-dec) and " +
  'day of week (0-7 or sun-sat), such as "*/5 8-17 * * mon-fri"; or @hourly, @daily, @weekly, @monthly or @yearly';

/** When something happens, in five fields of cron: `"0 8 * * 1-5"`, `"@daily"`. */
export function cronSchedule(): Field<string> {
  const expression = new RegExp(PATTERN.slice("(?i)".length), "i");
  return createField<string>({
    schema: { type: "string", minLength: 1, maxLength: LENGTH_MAX },
    presence: "required",
    problem: (value) => (typeof value === "string" && expression.test(value) ? undefined : MESSAGE),
  }).check(cel(`self.matches(r'${PATTERN}')`, MESSAGE));
}

/** Values, ranges and steps of one field, separated by commas. */
function list(value: string): string {
  const item = `(\\*|\\?|(${value})(-(${value}))?)(/[1-9][0-9]?)?`;
  return `${item}(,${item})*`;
}
