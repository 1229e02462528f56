/** What recorders remember: the newest of many, so that a manager that lives for months does not grow. */

/** How many series, sources and similar events are remembered. */
const REMEMBERED_MAX = 4096;

/** Remembers a value as the newest; the oldest makes room where there is none. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= REMEMBERED_MAX) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
