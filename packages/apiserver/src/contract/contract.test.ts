import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { createApiServer } from "../server/server.ts";
import { createContractApi } from "./api.ts";
import { contractCases } from "./suite.ts";

for (const [index, { name, profile, run }] of contractCases.entries()) {
  if (profile !== "apiserver") continue;
  test(`in process: ${name}`, { timeout: 20_000 }, async () => {
    await using server = await createApiServer({ clock: systemClock, random: systemRandom });
    const namespace = `case-${index}`;
    const api = createContractApi(server.transport, namespace);
    await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
    await run(api);
  });
}
