import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { createContractApi } from "../contract/api.ts";
import { createApiServer } from "../server/server.ts";
import { createStorage } from "../storage/memory.ts";
import { openSqliteJournal } from "../storage/sqlite.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

/** A server on a file that outlives it. */
async function startOn(file: string) {
  const storage = createStorage({ journal: openSqliteJournal(file) });
  const server = await createApiServer({ clock: systemClock, random: seededRandom(1), storage });
  return { server, api: createContractApi(server.transport, "default") };
}

test("a restart gives default roles and bindings what they lack, and keeps what was added", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-roles-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "journal");
  const first = await startOn(file);
  const role = (await first.api.get(`${ROLES}/system:basic-user`)).body;
  const extra = { apiGroups: ["example.com"], resources: ["things"], verbs: ["get"] };
  await first.api.put(`${ROLES}/system:basic-user`, { ...role, rules: [extra] });
  const binding = (await first.api.get(`${BINDINGS}/cluster-admin`)).body;
  await first.api.put(`${BINDINGS}/cluster-admin`, { ...binding, subjects: [] });
  const frozen = (await first.api.get(`${ROLES}/system:discovery`)).body;
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  await first.api.put(`${ROLES}/system:discovery`, {
    ...frozen,
    rules: [],
    metadata: { ...frozen.metadata, annotations },
  });
  const untouched = (await first.api.get(`${ROLES}/view`)).body;
  await first.server.close();
  const second = await startOn(file);
  const { rules } = (await second.api.get(`${ROLES}/system:basic-user`)).body;
  assert.deepEqual(rules[0], extra);
  const verbs = rules.slice(1).flatMap((rule: { resources: string[] }) => rule.resources);
  assert.deepEqual(verbs.sort(), ["selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews"].sort());
  assert.deepEqual((await second.api.get(`${BINDINGS}/cluster-admin`)).body.subjects, binding.subjects);
  assert.equal((await second.api.get(`${ROLES}/system:discovery`)).body.rules, null);
  assert.deepEqual((await second.api.get(`${ROLES}/view`)).body, untouched);
  await second.server.close();
});
