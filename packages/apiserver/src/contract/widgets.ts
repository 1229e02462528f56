/** A custom resource of a case's own. */
import assert from "node:assert/strict";
import type { ContractApi } from "./api.ts";
import { CRDS, widgetCrd } from "./objects.ts";

/** Creates a CRD of widgets and waits until they are served (at once in an embedded server, soon in others); returns the path. */
export async function serveWidgets(api: ContractApi, version: object = {}): Promise<string> {
  const group = `${api.namespace}.example.com`;
  await createCrd(api, widgetCrd(group, version));
  const path = `/apis/${group}/v1/namespaces/${api.namespace}/widgets`;
  await untilServed(api, path);
  return path;
}

/** Creates a CRD and waits until its names are accepted. */
export async function createCrd(api: ContractApi, crd: object): Promise<void> {
  const created = await api.post(CRDS, crd);
  assert.equal(created.status, 201, created.text);
  const { name } = created.body.metadata;
  await api.watch(`${CRDS}?watch=1&fieldSelector=metadata.name%3D${name}`, (events) =>
    events.some(({ object }) => JSON.stringify(object).includes("InitialNamesAccepted")),
  );
}

/** How often a case asks before it gives up; servers with caches need some. */
const ATTEMPTS_MAX = 5000;

/** Resolves once a path answers. */
export function untilServed(api: ContractApi, path: string): Promise<void> {
  return until(async () => (await api.get(path)).status === 200, `${path} to be served`);
}

/** Resolves once nothing is at a path. */
export function untilGone(api: ContractApi, path: string): Promise<void> {
  return until(async () => (await api.get(path)).status === 404, `${path} to be gone`);
}

/** Resolves once the object at a path is being deleted. */
export function untilDeleting(api: ContractApi, path: string): Promise<void> {
  return until(
    async () => (await api.get(path)).body.metadata?.deletionTimestamp !== undefined,
    `${path} to be deleted`,
  );
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) if (await holds()) return;
  assert.fail(`waited in vain for ${what}`);
}
