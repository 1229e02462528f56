/** A custom resource of a case's own. */
import assert from "node:assert/strict";
import type { ContractApi } from "./api.ts";
import { CRDS, widgetCrd } from "./objects.ts";

/** Creates a CRD and waits until it is served (at once in an embedded server, soon in others); returns the path. */
export async function serveWidgets(api: ContractApi, version: object = {}): Promise<string> {
  const group = `${api.namespace}.example.com`;
  const created = await api.post(CRDS, widgetCrd(group, version));
  assert.equal(created.status, 201, created.text);
  await api.watch(`${CRDS}?watch=1&fieldSelector=metadata.name%3Dwidgets.${group}`, (events) =>
    events.some(({ object }) => JSON.stringify(object).includes("InitialNamesAccepted")),
  );
  const path = `/apis/${group}/v1/namespaces/${api.namespace}/widgets`;
  for (let attempt = 0; attempt < 1000 && (await api.get(path)).status !== 200; attempt++);
  return path;
}
