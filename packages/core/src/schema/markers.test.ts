/**
 * Every marker of controller-gen has a spelling here: the definitions below say with zod what the Go types under
 * testdata/controller-gen say with markers, and the CRDs must be the same. `node tools/crd-oracle/golden.ts` regenerates
 * the golden files.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { type Crd, toCrd } from "./crd.ts";
import { defineResource } from "./define-resource.ts";
import { conditions, duration, embeddedResource, intOrString, preserveUnknown, quantity, time } from "./fields.ts";
import {
  atLeastOneOf,
  atMostOneOf,
  atomic,
  exactlyOneOf,
  externalDocs,
  format,
  keepUnknown,
  listMap,
  listSet,
  maxProperties,
  minProperties,
} from "./marks.ts";
import { cel, immutable } from "./rules.ts";
import type { StructuralSchema } from "./structural.ts";

const names = {
  group: "example.com",
  kind: "Widget",
  plural: "widgets", // resource:path
  singular: "widget",
  shortNames: ["wd", "wdg"],
  categories: ["all", "toys"],
  scope: "Cluster",
} as const;

const WidgetV1Alpha1 = defineResource({
  ...names,
  version: "v1alpha1",
  spec: z.object({ size: z.int() }),
  served: false, // unservedversion
  deprecated: "use v1", // deprecatedversion:warning
});

const WidgetV1 = defineResource({
  ...names,
  version: "v1",
  spec: z.object({ replicas: z.int32().default(1), color: z.string().optional() }),
  status: z.object({
    replicas: z.int32().optional(),
    selector: z.string().optional(),
    conditions: conditions(),
  }), // subresource:status
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" },
  columns: [
    {
      name: "Replicas",
      type: "integer",
      jsonPath: ".spec.replicas",
      description: "wanted",
      format: "int32",
      priority: 1,
    },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  storage: true, // storageversion
  annotations: { "example.com/note": "hello" },
  labels: { "example.com/tier": "gold" },
  selectableFields: [".spec.color"],
  rules: [cel("self.metadata.name.startsWith('w')", "names begin with w")],
});

const Port = z.object({ name: z.string(), protocol: z.string().default("TCP"), number: z.int32().optional() });
const Pair = z.object({ left: z.string().optional(), right: z.string().optional() });
const Either = z.object({ a: z.string().optional(), b: z.string().optional() });

const Catalog = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Catalog",
  spec: z.object({
    numbers: z.object({
      bounded: z.int32().min(1).max(10), // Minimum, Maximum
      open: z.int32().gt(1).lt(10), // ExclusiveMinimum, ExclusiveMaximum
      fives: z.int32().multipleOf(5),
      long: z.int(), // int64
      double: z.float64(),
      float: z.float32(),
      choice: z.literal([1, 2, 3]).check(format("int32")), // Enum
      native: z.int32().min(2).max(4), // k8s:minimum, k8s:maximum
    }),
    texts: z.object({
      name: z
        .string()
        .min(1)
        .max(63)
        .regex(/^[a-z]+$/), // MinLength, MaxLength, Pattern
      mode: z.enum(["Allow", "Deny"]),
      address: z.ipv4(),
      email: z.email(),
      link: z.url(),
      id: z.uuid(),
      timeout: duration(),
      at: time(),
      day: z.iso.date(),
      network: z.string().check(format("cidr")),
      data: z.base64(),
      typed: z.string().min(2), // Type
    }),
    lists: z.object({
      sized: z.array(z.string()).min(1).max(3), // MinItems, MaxItems
      set: listSet(z.string()),
      atomic: z.array(z.string()).check(atomic()),
      ports: listMap(Port, "name", "protocol"),
      words: z.array(z.string().min(2).regex(/^x/)), // items:MinLength, items:Pattern
      digits: z.array(z.int32().min(0).max(9)), // items:Minimum …
      few: z.array(z.string()).max(2), // k8s:maxItems
    }),
    maps: z.object({
      labels: z.record(z.string(), z.string()).check(minProperties(1), maxProperties(5)),
      whole: z.record(z.string(), z.string()).check(atomic()), // mapType=atomic
      pair: Pair.check(atomic()), // structType=atomic
    }),
    rules: z
      .object({
        low: z.int32(),
        high: z.int32(),
        frozen: z.string().check(cel("!oldSelf.hasValue() || self == oldSelf.value()", { optionalOldSelf: true })),
        fixed: z.string().check(immutable()), // k8s:immutable
        items: z.array(z.string().check(cel("self != 'no'"))), // items:XValidation
      })
      .check(
        cel("self.low <= self.high", { message: "low exceeds high", reason: "FieldValueForbidden", fieldPath: ".low" }),
        cel("self.high < 100", { messageExpression: "'high is ' + string(self.high)" }),
      ),
    unions: z.object({
      atMost: Either.check(atMostOneOf("a", "b")),
      exactly: Either.check(exactlyOneOf("a", "b")),
      atLeast: Either.check(atLeastOneOf("a", "b")),
    }),
    opaque: z.object({
      port: intOrString(),
      memory: quantity(),
      template: embeddedResource(), // EmbeddedResource, PreserveUnknownFields
      anything: preserveUnknown(),
      partly: Pair.check(keepUnknown()), // pruning:PreserveUnknownFields
      schemaless: z.unknown(), // Schemaless
    }),
    presence: z.object({
      optional: z.string().optional(),
      required: z.string(),
      nullable: z.string().nullable(),
      defaulted: z.string().default("fine"),
      object: Pair.default({ left: "l" }),
      example: z.string().meta({ example: "some" }),
      titled: z.string().meta({ title: "A title" }),
      documented: z.string().check(externalDocs("https://example.com/docs", "more")),
    }),
  }),
});

test("resource markers: names, versions, subresources, columns, metadata and selectable fields", () => {
  assert.deepEqual(comparable(toCrd([WidgetV1, WidgetV1Alpha1])), golden("example.com_widgets.yaml"));
});

const expected = specProperties(golden("example.com_catalogs.yaml"));
const actual = specProperties(comparable(toCrd(Catalog)));

for (const theme of Object.keys(expected)) {
  for (const [name, schema] of Object.entries(expected[theme]?.properties ?? {})) {
    test(`field markers: ${theme}.${name}`, () => {
      assert.deepEqual(actual[theme]?.properties?.[name], schema);
    });
  }
}

test("the whole catalog is the CRD that controller-gen writes", () => {
  assert.deepEqual(comparable(toCrd(Catalog)), golden("example.com_catalogs.yaml"));
});

function specProperties(crd: Crd): Readonly<Record<string, StructuralSchema>> {
  return crd.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]?.properties ?? {};
}

/** A golden CRD without the note about the tool that wrote it. */
function golden(file: string): Crd {
  const crd = parse(readFileSync(`${import.meta.dirname}/testdata/controller-gen/${file}`, "utf8"));
  delete crd.metadata.annotations["controller-gen.kubebuilder.io/version"];
  return comparable(crd);
}

/** Without what Go cannot leave out: empty annotations and the texts of metav1.Condition. */
function comparable(crd: Crd): Crd {
  const { annotations = {}, ...metadata } = crd.metadata;
  return JSON.parse(
    JSON.stringify({
      ...crd,
      metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata,
    }),
  );
}
