/** What a process has open, to compare before and after. */

/** How many listeners the process has, and sockets, files and timers that keep it alive, by name. */
export function openIn(
  host: Pick<NodeJS.Process, "eventNames" | "listenerCount" | "getActiveResourcesInfo">,
): Readonly<Record<string, number>> {
  const listeners = host.eventNames().map((name) => [`listener ${String(name)}`, host.listenerCount(name)]);
  const resources = Object.groupBy(host.getActiveResourcesInfo(), (name) => name);
  return Object.fromEntries([
    ...listeners,
    ...Object.entries(resources).map(([name, all]) => [`resource ${name}`, all?.length ?? 0]),
  ]);
}
