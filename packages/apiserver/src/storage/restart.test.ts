import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { type ContractApi, createContractApi } from "../contract/api.ts";
import { configMap, configMaps } from "../contract/objects.ts";
import { type ApiServer, createApiServer } from "../server/server.ts";
import { createStorage } from "./memory.ts";
import { openSqliteJournal } from "./sqlite.ts";

test("difference: watch history: after a restart objects are there, and a watch from before is told to list again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-restart-"));
  const open = async (): Promise<ApiServer> => {
    const storage = createStorage({ journal: openSqliteJournal(join(folder, "objects.db")) });
    return createApiServer({ clock: systemClock, random: systemRandom, storage });
  };
  const apiOf = ({ transport }: ApiServer): ContractApi => createContractApi(transport, "default");
  try {
    let before = "";
    {
      await using server = await open();
      before = (await apiOf(server).post(configMaps("default"), configMap("a"))).body.metadata.resourceVersion;
      await apiOf(server).post(configMaps("default"), configMap("b"));
    }
    await using server = await open();
    const api = apiOf(server);
    assert.equal((await api.get(`${configMaps("default")}/a`)).status, 200);
    const [told] = await api.watch(`${configMaps("default")}?watch=1&resourceVersion=${before}`, () => true);
    assert.deepEqual([told?.type, told?.object.code, told?.object.reason], ["ERROR", 410, "Expired"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
