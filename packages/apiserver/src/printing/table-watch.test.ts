import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { createContractApi } from "../contract/api.ts";
import { configMap, configMaps } from "../contract/objects.ts";
import { createApiServer } from "../server/server.ts";

const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

test("only the first event of a watch says what the columns are", async () => {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const api = createContractApi(server.transport, "default");
  await api.post(configMaps("default"), configMap("a"));
  await api.post(configMaps("default"), configMap("b"));
  const list = await api.get(configMaps("default"), TABLE);
  assert.equal(list.body.columnDefinitions.length, 3);
  assert.equal(list.body.rows.length, 2);
  const initial = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const all = await api.watch(
    `${configMaps("default")}?${initial}`,
    (events) => events.at(-1)?.type === "BOOKMARK",
    TABLE,
  );
  assert.deepEqual(
    all.map(({ type, object }) => [type, object.kind, object.columnDefinitions?.length, object.rows[0].cells[0]]),
    [
      ["ADDED", "Table", 3, "a"],
      ["ADDED", "Table", undefined, "b"],
      ["BOOKMARK", "Table", undefined, ""],
    ],
  );
  const later = `${configMaps("default")}?watch=1&resourceVersion=${list.body.metadata.resourceVersion}`;
  const watching = api.watch(later, (events) => events.length === 2, TABLE);
  const watchingToo = api.watch(later, (events) => events.length === 2, TABLE);
  await api.post(configMaps("default"), configMap("c"));
  await api.post(configMaps("default"), configMap("d"));
  for (const events of [await watching, await watchingToo]) {
    assert.deepEqual(
      events.map(({ object }) => [object.columnDefinitions?.length, object.rows[0].cells[0]]),
      [
        [3, "c"],
        [undefined, "d"],
      ],
    );
  }
});
