/** Contract cases: admission webhooks. */
import assert from "node:assert/strict";
import type { Answer, ContractApi } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps, widgetCrd } from "./objects.ts";
import { startWebhook, type WebhookServer } from "./webhook-server.ts";
import { createCrd } from "./widgets.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";

type Kind = "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration";

const PLURALS = {
  MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
  ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
} as const;

/** Configures webhooks for ConfigMaps of the case's namespace; returns how to remove them. */
export async function configure(
  api: ContractApi,
  kind: Kind,
  webhooks: readonly { readonly path?: string; readonly [field: string]: unknown }[],
  server: Pick<WebhookServer, "url" | "caBundle">,
): Promise<AsyncDisposable> {
  const name = `${kind.toLowerCase()}-${api.namespace}`;
  const path = `${GROUP}/${PLURALS[kind]}`;
  const answer = await api.post(path, {
    metadata: { name },
    webhooks: webhooks.map(({ path: hookPath = "/", ...webhook }, index) => ({
      name: `hook${index}.example.com`,
      clientConfig: { url: `${server.url}${hookPath}`, caBundle: server.caBundle },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": api.namespace } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...webhook,
    })),
  });
  assert.equal(answer.status, 201, answer.text);
  return { [Symbol.asyncDispose]: async () => void (await api.delete(`${path}/${name}`)) };
}

/** Asks until `isDone`: a real server learns of configurations a little later. */
async function until(isDone: (answer: Answer) => boolean, ask: (attempt: number) => Promise<Answer>): Promise<Answer> {
  let answer = await ask(0);
  for (let attempt = 1; !isDone(answer) && attempt < 300; attempt++) answer = await ask(attempt);
  assert.ok(isDone(answer), answer.text);
  return answer;
}

function patchOf(...operations: readonly object[]): { readonly patch: string; readonly patchType: string } {
  return { patch: Buffer.from(JSON.stringify(operations)).toString("base64"), patchType: "JSONPatch" };
}

/** The cases. */
export const webhookCases: readonly ContractCase[] = [
  contract("a webhook is called by its own certificate, and by a path without doubled slashes", async (api) => {
    await using server = await startWebhook((_, path) => ({ allowed: false, status: { message: path } }));
    const pinned = { url: server.url, caBundle: server.ownCertificate };
    await using _configured = await configure(api, "ValidatingWebhookConfiguration", [{ path: "//a//b/" }], pinned);
    await until(
      ({ body }) => body.message === 'admission webhook "hook0.example.com" denied the request: /a/b?timeout=10s',
      (attempt) => api.post(configMaps(api.namespace), configMap(`a${attempt}`)),
    );
  }),

  contract(
    "a validating webhook sees the request and may refuse it with a message, a code and a reason",
    async (api) => {
      await using server = await startWebhook((request) =>
        request.object?.data?.bad === undefined
          ? { allowed: true, warnings: ["looked at"] }
          : { allowed: false, status: { code: 403, message: "bad data", reason: "Forbidden" } },
      );
      await using _configured = await configure(api, "ValidatingWebhookConfiguration", [{}], server);
      const path = configMaps(api.namespace);
      const refused = await until(
        ({ status }) => status === 403,
        (attempt) => api.post(path, configMap(`a${attempt}`, { bad: "1" })),
      );
      assert.equal(refused.body.message, 'admission webhook "hook0.example.com" denied the request: bad data');
      assert.equal(refused.body.reason, "Forbidden");
      const created = await api.post(path, configMap("good", { a: "1" }));
      assert.equal(created.status, 201);
      assert.equal(created.headers["warning"], '299 - "looked at"');
      const request = server.requests.at(-1);
      assert.deepEqual(
        [request.kind, request.resource, request.name, request.namespace, request.operation, request.dryRun],
        [
          { group: "", version: "v1", kind: "ConfigMap" },
          { group: "", version: "v1", resource: "configmaps" },
          "good",
          api.namespace,
          "CREATE",
          false,
        ],
      );
      assert.equal(request.oldObject, null);
      assert.equal(request.options.kind, "CreateOptions");
      assert.equal(request.object.data.a, "1");
      await api.delete(`${path}/good`);
      const deletion = server.requests.at(-1);
      assert.deepEqual(
        [deletion.operation, deletion.object, deletion.oldObject.metadata.name],
        ["DELETE", null, "good"],
      );
      assert.equal(deletion.options.kind, "DeleteOptions");
    },
  ),

  contract("a refusal without words has the code 400 and says so", async (api) => {
    await using server = await startWebhook(() => ({ allowed: false }));
    await using _configured = await configure(api, "ValidatingWebhookConfiguration", [{}], server);
    const refused = await until(
      ({ status }) => status !== 201,
      (attempt) => api.post(configMaps(api.namespace), configMap(`a${attempt}`)),
    );
    assert.equal(refused.status, 400);
    assert.equal(refused.body.message, 'admission webhook "hook0.example.com" denied the request without explanation');
  }),

  contract("mutating webhooks run in order, and again where they asked for it", async (api) => {
    const add = (key: string) => patchOf({ op: "add", path: `/data/${key}`, value: "1" });
    await using server = await startWebhook((request, path) => {
      if (path.startsWith("/second")) return { allowed: true, ...add("second") };
      return request.object.data.second === undefined
        ? { allowed: true, ...add("first") }
        : { allowed: true, ...add("again") };
    });
    const hooks = [{ path: "/first", reinvocationPolicy: "IfNeeded" }, { path: "/second" }];
    await using _configured = await configure(api, "MutatingWebhookConfiguration", hooks, server);
    const created = await until(
      ({ body }) => body.data?.first !== undefined,
      (attempt) => api.post(configMaps(api.namespace), configMap(`a${attempt}`, { own: "1" })),
    );
    assert.deepEqual(created.body.data, { own: "1", first: "1", second: "1", again: "1" });
  }),

  contract("a webhook that cannot be reached fails the request, unless failures are ignored", async (api) => {
    await using server = await startWebhook(() => ({ allowed: true }));
    const nowhere = { url: "https://127.0.0.1:1", caBundle: server.caBundle };
    const hooks = [{ path: "/x", failurePolicy: "Fail", timeoutSeconds: 3 }];
    const configured = await configure(api, "ValidatingWebhookConfiguration", hooks, nowhere);
    const failed = await until(
      ({ status }) => status === 500,
      (attempt) => api.post(configMaps(api.namespace), configMap(`a${attempt}`)),
    );
    assert.equal(
      failed.body.message,
      'Internal error occurred: failed calling webhook "hook0.example.com": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=3s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    assert.equal(failed.body.reason, "InternalError");
    await configured[Symbol.asyncDispose]();
    await using _ignored = await configure(
      api,
      "ValidatingWebhookConfiguration",
      [{ failurePolicy: "Ignore" }],
      nowhere,
    );
    await until(
      ({ status }) => status === 201,
      (attempt) => api.post(configMaps(api.namespace), configMap(`b${attempt}`)),
    );
  }),

  contract("a webhook is called only for requests that its conditions and selectors match", async (api) => {
    await using server = await startWebhook(() => ({ allowed: false, status: { message: "called" } }));
    const hooks = [
      {
        objectSelector: { matchLabels: { checked: "yes" } },
        matchConditions: [
          { name: "not-exempt", expression: "!('exempt' in object.metadata.labels)" },
          { name: "create", expression: "request.operation == 'CREATE'" },
        ],
      },
    ];
    await using _configured = await configure(api, "ValidatingWebhookConfiguration", hooks, server);
    const path = configMaps(api.namespace);
    const labelled = (name: string, labels: object): object => configMap(name, {}, { labels });
    await until(
      ({ status }) => status === 400,
      (attempt) => api.post(path, labelled(`a${attempt}`, { checked: "yes" })),
    );
    assert.equal((await api.post(path, labelled("exempt", { checked: "yes", exempt: "1" }))).status, 201);
    assert.equal((await api.post(path, labelled("unchecked", { checked: "no" }))).status, 201);
    assert.equal((await api.delete(`${path}/exempt`)).status, 200);
  }),

  contract("a condition that fails refuses the request", async (api) => {
    await using server = await startWebhook(() => ({ allowed: true }));
    const hooks = [{ matchConditions: [{ name: "broken", expression: "object.data.missing == '1'" }] }];
    await using _configured = await configure(api, "ValidatingWebhookConfiguration", hooks, server);
    const refused = await until(
      ({ status }) => status === 403,
      (attempt) => api.post(configMaps(api.namespace), configMap(`a${attempt}`, { a: "1" })),
    );
    assert.match(
      refused.body.message,
      /is forbidden: expression 'object.data.missing == '1'' resulted in error: no such key: missing$/,
    );
  }),

  contract("a webhook is told of dry runs", async (api) => {
    await using server = await startWebhook(() => ({ allowed: true }));
    await using _configured = await configure(api, "ValidatingWebhookConfiguration", [{}], server);
    await until(
      () => server.requests.length > 0,
      (attempt) => api.post(`${configMaps(api.namespace)}?dryRun=All`, configMap(`a${attempt}`)),
    );
    assert.equal(server.requests.at(-1).dryRun, true);
    assert.deepEqual(server.requests.at(-1).options.dryRun, ["All"]);
  }),

  contract("an answer with another uid counts as a failure", async (api) => {
    await using server = await startWebhook(() => ({ uid: "other", allowed: true }));
    await using _configured = await configure(api, "ValidatingWebhookConfiguration", [{}], server);
    const failed = await until(
      ({ status }) => status === 500,
      (attempt) => api.post(configMaps(api.namespace), configMap(`a${attempt}`)),
    );
    assert.match(
      failed.body.message,
      /failed calling webhook "hook0.example.com": received invalid webhook response: expected response.uid="[-0-9a-f]+", got "other"$/,
    );
  }),

  contract("a conversion webhook makes other versions of stored objects", async (api) => {
    await using server = await startWebhook(({ objects, desiredAPIVersion }) => ({
      result: { status: "Success" },
      convertedObjects: objects.map((object: { spec: { size?: number; count?: number } }) => ({
        ...object,
        apiVersion: desiredAPIVersion,
        spec: desiredAPIVersion.endsWith("/v2") ? { count: object.spec.size } : { size: object.spec.count },
      })),
    }));
    const group = `conversion.${api.namespace}.example.com`;
    const crd = widgetCrd(group) as { spec: { versions: readonly object[] } };
    const count = {
      type: "object",
      properties: { spec: { type: "object", properties: { count: { type: "integer" } } } },
    };
    const second = { name: "v2", served: true, storage: false, schema: { openAPIV3Schema: count } };
    const conversion = {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: `${server.url}/convert`, caBundle: server.caBundle },
        conversionReviewVersions: ["v1"],
      },
    };
    const spec = { ...crd.spec, versions: [...crd.spec.versions, second], conversion };
    await createCrd(api, { ...crd, spec });
    const path = (version: string): string => `/apis/${group}/${version}/namespaces/${api.namespace}/widgets`;
    const widget = { apiVersion: `${group}/v2`, kind: "Widget", metadata: { name: "w" }, spec: { count: 3 } };
    const created = await until(
      ({ status }) => status === 201,
      () => api.post(path("v2"), widget),
    );
    assert.deepEqual(created.body.spec, { count: 3 });
    assert.deepEqual((await api.get(`${path("v1")}/w`)).body.spec, { size: 3 });
    assert.deepEqual((await api.get(path("v2"))).body.items[0].spec, { count: 3 });
  }),
];
