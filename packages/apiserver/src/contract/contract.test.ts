import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { createApiServer } from "../server/server.ts";
import { createStorage } from "../storage/memory.ts";
import { openSqliteJournal } from "../storage/sqlite.ts";
import type { Storage } from "../storage/storage.ts";
import { createContractApi } from "./api.ts";
import { contractCases } from "./suite.ts";

const STORAGES: Readonly<Record<string, () => Storage>> = {
  "in memory": () => createStorage(),
  "on SQLite": () => createStorage({ journal: openSqliteJournal(":memory:") }),
};

for (const [where, makeStorage] of Object.entries(STORAGES)) {
  for (const [index, { name, profile, run }] of contractCases.entries()) {
    if (profile !== "apiserver") continue;
    test(`${where}: ${name}`, { timeout: 20_000 }, async () => {
      await using server = await createApiServer({ clock: systemClock, random: systemRandom, storage: makeStorage() });
      const namespace = `case-${index}`;
      const api = createContractApi(server.transport, namespace);
      await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
      await run(api);
    });
  }
}
