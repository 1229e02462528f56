/** What controllers told, for expectations of whole states. */
import { Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import type { World } from "./expectation.ts";

/** What was told about an object, each sentence once for each time. */
export async function told({ client }: World, name: string | undefined): Promise<readonly string[]> {
  const events = (await client.list(Event)).items.filter(({ regarding }) => regarding?.name === name);
  return events.map(({ reason, note }) => `${reason} ${note}`).toSorted();
}

/** What their controller tells of the pods that it made. */
export async function createdPods({ client }: World): Promise<readonly string[]> {
  return (await client.list(Pod)).items
    .map(({ metadata }) => `SuccessfulCreate Created pod: ${metadata?.name}`)
    .toSorted();
}
