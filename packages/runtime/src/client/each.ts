/** Lists of any length, page by page: `client.each`. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { isExpired } from "@kubewright/core/protocol";
import type { Client } from "./client.ts";
import type { EachOptions } from "./options.ts";

const PAGE_SIZE = 500;

/**
 * All objects in pages. When the list's version was compacted away half-way, the server's own token continues with
 * newer objects: every object that was there all the time comes once.
 */
export async function* eachObject<Kind extends KubernetesObject>(
  client: Client,
  what: ResourceDefinition<Kind, unknown>,
  options: EachOptions,
): AsyncGenerator<Kind> {
  let token: string | undefined;
  do {
    const page = await pageAt(client, what, options, token);
    yield* page.items;
    token = page.metadata.continue === "" ? undefined : page.metadata.continue;
  } while (token !== undefined);
}

async function pageAt<Kind extends KubernetesObject>(
  client: Client,
  what: ResourceDefinition<Kind, unknown>,
  { pageSize = PAGE_SIZE, ...select }: EachOptions,
  token: string | undefined,
): ReturnType<typeof client.list<Kind>> {
  try {
    return await client.list(what, { ...select, limit: pageSize, continue: token });
  } catch (error) {
    const renewed = isExpired(error) ? error.status.metadata.continue : undefined;
    if (token === undefined || renewed === undefined || renewed === "") throw error;
    return client.list(what, { ...select, limit: pageSize, continue: renewed });
  }
}
