import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { environment, type Target, targets } from "./targets.ts";

/** CRDs that show every part of discovery and OpenAPI. */
const crds = readFileSync(new URL("testdata/crds.yaml", import.meta.url), "utf8");
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

interface Credentials {
  readonly url: string;
  readonly ca: string;
  readonly headers: Record<string, string>;
  readonly cert?: string;
  readonly key?: string;
}

function credentialsOf(kubeconfig: string): Credentials {
  const { clusters, users } = parse(readFileSync(kubeconfig, "utf8"));
  const decode = (text: string | undefined): string => Buffer.from(text ?? "", "base64").toString("utf8");
  const { user } = users[0];
  return {
    url: clusters[0].cluster.server,
    ca: decode(clusters[0].cluster["certificate-authority-data"]),
    headers: user.token === undefined ? {} : { authorization: `Bearer ${user.token}` },
    ...(user.token === undefined && {
      cert: decode(user["client-certificate-data"]),
      key: decode(user["client-key-data"]),
    }),
  };
}

function get({ url, headers, ...tls }: Credentials, path: string, accept: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { ...tls, headers: { ...headers, accept }, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve(Buffer.concat(chunks).toString("utf8").trimEnd()));
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("documents of the embedded server and of kube-apiserver", () => {
  let opened: readonly Target[];
  let [embedded, real]: Credentials[] = [];
  before(async () => {
    const kinds = targets.filter(({ name }) => name === "embedded" || name === "kube-apiserver");
    opened = await Promise.all(kinds.map((kind) => kind.open()));
    for (const target of opened) {
      await target.kubectl().text("apply -f -", { input: crds });
      await target.kubectl().text("wait --for=condition=Established crd --all --timeout=20s");
    }
    [embedded, real] = opened.map(({ kubeconfig }) => credentialsOf(kubeconfig));
    await untilPublished();
  });
  after(async () => {
    await opened[1]?.kubectl().run("delete -f -", { input: crds });
    for (const target of opened) await target[Symbol.asyncDispose]();
  });

  const both = async (path: string, accept = "application/json"): Promise<readonly [string, string]> => {
    assert.ok(embedded !== undefined && real !== undefined, environment("KUBEWRIGHT_PROGRAMS"));
    return [await get(embedded, path, accept), await get(real, path, accept)];
  };

  /** kube-apiserver tells of CRDs a little later. */
  async function untilPublished(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const [, index] = await both("/openapi/v3");
      const [, discovery] = await both("/apis", AGGREGATED);
      if (["parts.example.com/v1beta1", "machines.example.com/v1"].every((each) => index.includes(each))) {
        if (discovery.includes("machines.example.com")) return;
      }
    }
    assert.fail("kube-apiserver did not publish the CRDs");
  }

  test("discovery is the same, byte for byte", async () => {
    for (const path of ["/api", "/apis"]) {
      const [ours, theirs] = await both(path, AGGREGATED);
      assert.equal(ours, theirs, path);
    }
    const [, index] = await both("/");
    const paths: readonly string[] = JSON.parse(index).paths;
    for (const path of paths.filter((each) => each.startsWith("/apis"))) {
      const [ours, theirs] = await both(path);
      assert.equal(ours, theirs, path);
    }
  });

  test("OpenAPI has the same paths, operations and kinds", async () => {
    for (const [path, ours, theirs] of await openApiDocuments()) {
      const expected = operationsOf(theirs).filter((each) => !UNPUBLISHED.test(each));
      assert.deepEqual(operationsOf(ours), expected, path);
    }
  });

  test("OpenAPI has the same schemas but for their descriptions", async () => {
    for (const [path, ours, theirs] of await openApiDocuments()) {
      for (const [name, schema] of Object.entries(ours.components.schemas)) {
        if (name.endsWith(".meta.v1.DeleteOptions")) continue; // Each document marks it as a kind of its own group.
        assert.deepEqual(plain(schema), plain(theirs.components.schemas[name]), `${name} in ${path}`);
      }
      const missing = Object.keys(theirs.components.schemas).filter(
        (name) => ours.components.schemas[name] === undefined && !LEFT_OUT.test(name),
      );
      assert.deepEqual(missing, [], path);
    }
  });

  async function openApiDocuments(): Promise<readonly (readonly [path: string, ours: Document, theirs: Document])[]> {
    const [index] = await both("/openapi/v3");
    const documents: [string, Document, Document][] = [];
    for (const path of Object.keys(JSON.parse(index).paths)) {
      const [ours, theirs] = await both(`/openapi/v3/${path}`);
      documents.push([path, JSON.parse(ours), JSON.parse(theirs)]);
    }
    return documents;
  }
});

interface Document {
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** Old watch paths, roots, and what lies behind a proxy. */
const UNPUBLISHED = /^\/apis?\/[^ ]*(?:\/watch\/|\/ |\{path\})|(?:options|head) connect/;
/** What discovery and old watch paths answer, and what only they point to. */
const LEFT_OUT = /\.(?:APIResource|APIResourceList|WatchEvent|RawExtension)$/;

function operationsOf({ paths }: Document): readonly string[] {
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== "parameters")
      .map(([method, operation]) => {
        const { group, version, kind } = (operation["x-kubernetes-group-version-kind"] ?? {}) as Record<string, string>;
        return `${path} ${method} ${operation["x-kubernetes-action"]} ${group}/${version} ${kind}`;
      }),
  );
  return lines.sort();
}

/** A schema without descriptions, zero defaults and unions, and with references in one form. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { description: _, "x-kubernetes-unions": __, ...facts } = value as Record<string, unknown>;
  const { default: fallback, allOf, ...rest } = facts;
  const isZero = fallback === undefined || ["{}", '""', "0", "false"].includes(JSON.stringify(fallback));
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? allOf : [];
  const entries = Object.entries({
    ...rest,
    ...(isZero ? {} : { default: fallback }),
    ...(only !== undefined ? only : allOf === undefined ? {} : { allOf }),
  });
  return Object.fromEntries(
    entries
      .filter(([key, item]) => !(key === "properties" && Object.keys(item as object).length === 0))
      .map(([key, item]) => [key, key === "properties" ? plainEach(item as object) : plain(item)]),
  );
}

/** Fields may be named as keywords are. */
function plainEach(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(schema)]));
}
