/** Services and what stands behind them. */
import assert from "node:assert/strict";
import { Deployment } from "@kubewright/api/apps/v1";
import { Endpoints, Pod, Service } from "@kubewright/api/core/v1";
import { EndpointSlice } from "@kubewright/api/discovery/v1";
import { type Expectation, template } from "./expectation.ts";

/** What is told of the pods behind a Service. */
export const services: readonly Expectation[] = [
  {
    name: "the pods behind a Service are told in EndpointSlices and Endpoints, and leave them again",
    async run({ client, eventually, namespace }) {
      const spec = { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template("web") };
      await client.create(Deployment, { metadata: { name: "web" }, spec });
      const ports = [{ name: "http", port: 80, targetPort: 8080 }];
      await client.create(Service, { metadata: { name: "web" }, spec: { selector: { app: "web" }, ports } });
      const labelSelector = `kubernetes.io/service-name=web`;
      const told = async (count: number): Promise<void> => {
        const slices = (await client.list(EndpointSlice, { labelSelector })).items;
        assert.equal(slices.length, 1);
        const [slice] = slices;
        assert.match(slice?.metadata?.name ?? "", /^web-[a-z0-9]{5}$/);
        const ready = (slice?.endpoints ?? []).filter(({ conditions }) => conditions?.ready);
        const addresses = (await client.list(Pod)).items.map(({ status }) => status?.podIP ?? "");
        assert.equal(addresses.length, count);
        assert.deepEqual(ready.flatMap((endpoint) => endpoint.addresses).toSorted(), addresses.toSorted());
        for (const { targetRef } of ready) {
          assert.deepEqual([targetRef?.kind, targetRef?.namespace], ["Pod", namespace]);
        }
        const subsets = (await client.get(Endpoints, "web")).subsets ?? [];
        assert.equal(subsets.flatMap((subset) => subset.addresses ?? []).length, count);
        if (count === 0) return;
        assert.deepEqual(slice?.ports, [{ name: "http", port: 8080, protocol: "TCP" }]);
        assert.deepEqual(subsets[0]?.ports, [{ name: "http", port: 8080, protocol: "TCP" }]);
      };
      await eventually(() => told(2));
      await client.patch(Deployment, "web", { merge: { spec: { replicas: 0 } } });
      await eventually(() => told(0));
    },
  },
];
