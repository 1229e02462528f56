/** Finding the class that is marked as the default one; of several, the newest, and of those the first by name. */
import type { ApiObject } from "../../resource/object.ts";

/** The name of the default class; undefined when there is none. */
export function newestDefault(classes: readonly ApiObject[], annotations: readonly string[]): string | undefined {
  const marked = classes.filter(({ metadata }) => annotations.some((name) => metadata.annotations?.[name] === "true"));
  const [newest] = marked.sort((a, b) => compareNewest(a.metadata, b.metadata));
  return newest?.metadata.name;
}

function compareNewest(a: ApiObject["metadata"], b: ApiObject["metadata"]): number {
  const byTime = (b.creationTimestamp ?? "").localeCompare(a.creationTimestamp ?? "");
  return byTime === 0 ? (a.name ?? "").localeCompare(b.name ?? "") : byTime;
}
