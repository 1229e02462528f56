/** The formats date, date-time and duration, as lenient as the API server is about them. */

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True for `2006-01-02` with a day that exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1)
    return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (daysOfMonth[month - 1] ?? 0) + (leap ? 1 : 0);
}

/** True for an RFC 3339 date-time; seconds beyond 59 are refused, offsets are not looked at. */
export function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  if (time === undefined || text.length < 4 || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

const goDuration = /^[-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*$/;
const exactUnits = new Set(["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"]);
const unitPrefixes = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

/** True for Go's durations ("1h30m") and for number-unit pairs anywhere in the text ("22 ns", "3 days"). */
export function isDurationText(text: string): boolean {
  if (/^[-+]?0$/.test(text) || goDuration.test(text)) return true;
  let found = false;
  for (const match of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    if (BigInt(match[1] ?? 0) > 9223372036854775807n) return false;
    const unit = (match[2] ?? "").toLowerCase();
    found ||= exactUnits.has(unit) || unitPrefixes.some((prefix) => unit.startsWith(prefix));
  }
  return found;
}
