/**
 * Rules as CRDs in the field have them (gateways, routes, certificates, clusters, autoscalers …), written for this corpus:
 * each with objects that keep and break it, wrong types and missing fields included.
 */
import type { Json } from "../../packages/core/src/meta/json.ts";
import type { StructuralSchema, ValidationRule } from "../../packages/core/src/schema/structural.ts";
import type { SchemaCase } from "./case.ts";

type Properties = Readonly<Record<string, StructuralSchema>>;
/** A spec, or a new and an old spec. */
type Sample = Json | { readonly to: Json; readonly from: Json };

const text: StructuralSchema = { type: "string" };
const integer: StructuralSchema = { type: "integer" };
const bool: StructuralSchema = { type: "boolean" };
const intOrString: StructuralSchema = { "x-kubernetes-int-or-string": true };

function object(properties: Properties, more: Partial<StructuralSchema> = {}): StructuralSchema {
  return { type: "object", properties, ...more };
}

function list(items: StructuralSchema, more: Partial<StructuralSchema> = {}): StructuralSchema {
  return { type: "array", items, ...more };
}

function mapList(key: string, items: StructuralSchema): StructuralSchema {
  return list(items, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key] });
}

function map(values: StructuralSchema): StructuralSchema {
  return { type: "object", additionalProperties: values };
}

function ruled(schema: StructuralSchema, ...rules: (string | ValidationRule)[]): StructuralSchema {
  return { ...schema, "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)) };
}

/** One case per sample of a spec. */
function specs(name: string, spec: StructuralSchema, ...samples: Sample[]): SchemaCase[] {
  const schema = object({ spec });
  return samples.map((sample, index) => {
    const update = typeof sample === "object" && sample !== null && "to" in sample && "from" in sample;
    const [value, old] = update
      ? [(sample as { to: Json }).to, (sample as { from: Json }).from]
      : [sample as Json, undefined];
    const base = { name: `${name} #${index + 1}`, schema, object: { spec: value } };
    return old === undefined ? base : { ...base, old: { spec: old } };
  });
}

const routes: SchemaCase[] = [
  ...specs(
    "a path value must start with a slash for its type",
    ruled(
      object({ type: text, value: text }),
      {
        rule: "self.type in ['Exact', 'PathPrefix'] ? self.value.startsWith('/') : true",
        message: "value must be an absolute path",
      },
      { rule: "self.type == 'PathPrefix' ? !self.value.contains('//') : true", message: "must not contain '//'" },
    ),
    { type: "Exact", value: "/a" },
    { type: "Exact", value: "a" },
    { type: "PathPrefix", value: "/a//b" },
    { type: "RegularExpression", value: "x" },
    { type: "Exact" },
  ),
  ...specs(
    "redirect and backends exclude each other",
    ruled(
      object({
        filters: list(object({ type: text, requestRedirect: object({ scheme: text }) })),
        backendRefs: list(object({ name: text })),
      }),
      "(has(self.backendRefs) && size(self.backendRefs) > 0) ? (!has(self.filters) || self.filters.all(f, !has(f.requestRedirect))) : true",
    ),
    { filters: [{ type: "R", requestRedirect: {} }] },
    { filters: [{ type: "R", requestRedirect: {} }], backendRefs: [{ name: "a" }] },
    { backendRefs: [{ name: "a" }] },
    {},
  ),
  ...specs(
    "filters of one kind do not repeat",
    ruled(list(object({ type: text })), {
      rule: "self.filter(f, f.type == 'RequestRedirect').size() <= 1",
      message: "RequestRedirect filter cannot be repeated",
    }),
    [{ type: "RequestRedirect" }, { type: "A" }],
    [{ type: "RequestRedirect" }, { type: "RequestRedirect" }],
  ),
  ...specs(
    "a prefix replacement needs exactly one path prefix match",
    ruled(
      object({
        matches: list(object({ path: object({ type: text }) })),
        filters: list(object({ urlRewrite: object({ path: object({ type: text, replacePrefixMatch: text }) }) })),
      }),
      "(has(self.filters) && self.filters.exists_one(f, has(f.urlRewrite) && has(f.urlRewrite.path) && f.urlRewrite.path.type == 'ReplacePrefixMatch' && has(f.urlRewrite.path.replacePrefixMatch))) ? ((size(self.matches) != 1 || !has(self.matches[0].path) || self.matches[0].path.type != 'PathPrefix') ? false : true) : true",
    ),
    {
      matches: [{ path: { type: "PathPrefix" } }],
      filters: [{ urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/x" } } }],
    },
    {
      matches: [{ path: { type: "Exact" } }],
      filters: [{ urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/x" } } }],
    },
    { filters: [{ urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/x" } } }] },
  ),
  ...specs(
    "names of rules are unique",
    ruled(
      list(object({ name: text })),
      "self.all(l1, !has(l1.name) || self.exists_one(l2, has(l2.name) && l1.name == l2.name))",
    ),
    [{ name: "a" }, { name: "b" }, {}],
    [{ name: "a" }, { name: "a" }],
  ),
  ...specs(
    "the sum of matches is limited",
    ruled(list(object({ matches: list(text) })), {
      rule: "self.map(r, has(r.matches) ? r.matches.size() : 0).sum() <= 3",
      message: "too many matches",
    }),
    [{ matches: ["a", "b"] }, {}],
    [{ matches: ["a", "b"] }, { matches: ["c", "d"] }],
  ),
  ...specs(
    "a percentage needs its denominator",
    ruled(object({ percent: integer, fraction: object({ numerator: integer, denominator: integer }) }), {
      rule: "!(has(self.percent) && has(self.fraction))",
      message: "Only one of percent or fraction may be specified",
    }),
    { percent: 5 },
    { percent: 5, fraction: { numerator: 1 } },
  ),
  ...specs(
    "numerators are smaller",
    ruled(
      object({ numerator: integer, denominator: { ...integer, default: 100 } }),
      "self.numerator <= self.denominator",
    ),
    { numerator: 101 },
    { numerator: 5, denominator: 10 },
    {},
  ),
];

const gateways: SchemaCase[] = [
  ...specs(
    "tls is set for the protocols that need it",
    ruled(
      mapList(
        "name",
        object({
          name: text,
          protocol: text,
          port: integer,
          tls: object({ mode: text, certificateRefs: list(text) }),
          hostname: text,
        }),
      ),
      {
        rule: "self.all(l, l.protocol in ['HTTP', 'TCP', 'UDP'] ? !has(l.tls) : true)",
        message: "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']",
      },
      {
        rule: "self.all(l, (l.protocol == 'HTTPS' && has(l.tls)) ? (l.tls.mode == '' || l.tls.mode == 'Terminate') : true)",
        message: "tls mode must be Terminate for protocol HTTPS",
      },
      {
        rule: "self.all(l1, self.exists_one(l2, l1.name == l2.name))",
        message: "Listener name must be unique within the Gateway",
      },
      {
        rule: "self.all(l1, self.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol && (has(l1.hostname) && has(l2.hostname) ? l1.hostname == l2.hostname : !has(l1.hostname) && !has(l2.hostname))))",
        message: "Combination of port, protocol and hostname must be unique for each listener",
      },
    ),
    [{ name: "a", protocol: "HTTP", port: 80 }],
    [{ name: "a", protocol: "HTTP", port: 80, tls: {} }],
    [{ name: "a", protocol: "HTTPS", port: 443, tls: { mode: "Passthrough" } }],
    [
      { name: "a", protocol: "HTTP", port: 80 },
      { name: "b", protocol: "HTTP", port: 80 },
    ],
    [{ name: "a", protocol: "HTTPS", port: 443, tls: {} }],
    [{ name: "a" }],
  ),
  ...specs(
    "addresses have values of their type",
    ruled(
      object({ type: text, value: text }),
      "self.type == 'IPAddress' ? isIP(self.value) : true",
      "self.type == 'Hostname' ? self.value.matches(r\"^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$\") : true",
    ),
    { type: "IPAddress", value: "10.0.0.1" },
    { type: "IPAddress", value: "10.0.0" },
    { type: "Hostname", value: "*.example.com" },
    { type: "Hostname", value: "Bad_host" },
  ),
  ...specs(
    "hostnames are not addresses",
    ruled(list(text), {
      rule: "self.all(h, !isIP(h))",
      messageExpression: "'not a hostname: ' + self.filter(h, isIP(h)).join(', ')",
    }),
    ["a.com"],
    ["a.com", "1.2.3.4", "::1"],
  ),
  ...specs(
    "a reference names a service",
    ruled(object({ group: { ...text, default: "" }, kind: { ...text, default: "Service" }, port: integer }), {
      rule: "(size(self.group) == 0 && self.kind == 'Service') ? has(self.port) : true",
      message: "Must have port for Service reference",
    }),
    {},
    { port: 80 },
    { kind: "Other" },
  ),
  ...specs(
    "ports are in range as number or name",
    ruled(object({ port: intOrString }), {
      rule: "type(self.port) == int ? self.port > 0 && self.port < 65536 : self.port.size() <= 15",
      message: "port is out of range",
    }),
    { port: 80 },
    { port: 70000 },
    { port: "http" },
    { port: "a-name-that-is-too-long" },
  ),
  ...specs(
    "int-or-string in arithmetic without a guard",
    ruled(object({ port: intOrString }), "self.port + 1 > 5"),
    { port: 80 },
    { port: "http" },
    {},
  ),
];

const immutability: SchemaCase[] = [
  ...specs(
    "a field is immutable",
    object({ name: ruled(text, { rule: "self == oldSelf", message: "name is immutable" }), x: integer }),
    { name: "a" },
    { to: { name: "b" }, from: { name: "a" } },
    { to: { name: "a", x: 1 }, from: { name: "a" } },
    { to: { name: "b" }, from: {} },
  ),
  ...specs(
    "a field cannot be removed once set",
    ruled(object({ name: text, x: integer }), {
      rule: "!has(oldSelf.name) || has(self.name)",
      message: "name is required once set",
      fieldPath: ".name",
      reason: "FieldValueRequired",
    }),
    { to: {}, from: { name: "a" } },
    { to: { name: "a" }, from: {} },
  ),
  ...specs(
    "replicas only grow",
    object({
      replicas: ruled(integer, {
        rule: "self >= oldSelf",
        messageExpression: "'cannot shrink from %d to %d'.format([oldSelf, self])",
      }),
    }),
    { to: { replicas: 1 }, from: { replicas: 3 } },
    { to: { replicas: 5 }, from: { replicas: 3 } },
  ),
  ...specs(
    "an optional old value decides",
    object({
      phase: ruled(text, {
        rule: "oldSelf.hasValue() ? self != 'Pending' || oldSelf.value() == 'Pending' : self == 'Pending'",
        optionalOldSelf: true,
        message: "starts as Pending",
      }),
    }),
    { phase: "Pending" },
    { phase: "Done" },
    { to: { phase: "Pending" }, from: { phase: "Done" } },
    { to: { phase: "Done" }, from: { phase: "Pending" } },
  ),
  ...specs(
    "entries of a map list are immutable",
    mapList(
      "name",
      object({ name: text, size: ruled(integer, { rule: "self == oldSelf", message: "size is immutable" }) }),
    ),
    {
      to: [
        { name: "b", size: 2 },
        { name: "a", size: 9 },
      ],
      from: [
        { name: "a", size: 1 },
        { name: "b", size: 2 },
      ],
    },
    { to: [{ name: "c", size: 2 }], from: [{ name: "a", size: 1 }] },
  ),
  ...specs("values of a map are immutable", map(ruled(text, "self == oldSelf")), {
    to: { a: "y", b: "z" },
    from: { a: "x" },
  }),
  ...specs(
    "entries may be added but not removed",
    ruled(list(text), { rule: "oldSelf.all(x, x in self)", message: "entries cannot be removed" }),
    { to: ["a", "b"], from: ["a"] },
    { to: ["b"], from: ["a"] },
  ),
  ...specs(
    "a whole object is immutable",
    ruled(object({ a: text, b: object({ c: integer }) }), "self == oldSelf"),
    { to: { a: "x", b: { c: 1 } }, from: { b: { c: 1 }, a: "x" } },
    { to: { a: "x", b: { c: 2 } }, from: { a: "x", b: { c: 1 } } },
  ),
  ...specs(
    "sets are equal in any order",
    ruled(list(text, { "x-kubernetes-list-type": "set" }), "self == oldSelf"),
    { to: ["b", "a"], from: ["a", "b"] },
    { to: ["b"], from: ["a", "b"] },
  ),
  ...specs(
    "storage size in quantities only grows",
    ruled(object({ size: text }), {
      rule: "quantity(self.size).compareTo(quantity(oldSelf.size)) >= 0",
      message: "size cannot shrink",
    }),
    { to: { size: "2Gi" }, from: { size: "1024Mi" } },
    { to: { size: "1000Mi" }, from: { size: "1Gi" } },
    { to: { size: "x" }, from: { size: "1Gi" } },
  ),
];

const workloads: SchemaCase[] = [
  ...specs(
    "min does not exceed max",
    ruled(object({ min: { ...integer, default: 0 }, max: integer }), {
      rule: "self.min <= self.max",
      message: "min must not exceed max",
      fieldPath: ".min",
    }),
    { max: 3 },
    { min: 5, max: 3 },
    { min: 1 },
  ),
  ...specs(
    "cron needs five fields",
    ruled(object({ schedule: text }), "self.schedule.split(' ').size() == 5 || self.schedule.startsWith('@')"),
    { schedule: "* * * * *" },
    { schedule: "* * *" },
    { schedule: "@daily" },
  ),
  ...specs(
    "exactly one source",
    ruled(object({ git: object({}), image: object({}), path: text }), {
      rule: "[has(self.git), has(self.image), has(self.path)].filter(x, x).size() == 1",
      message: "exactly one of git, image and path must be set",
    }),
    { path: "x" },
    { path: "x", git: {} },
    {},
  ),
  ...specs(
    "limits are not below requests",
    ruled(object({ requests: map(intOrString), limits: map(intOrString) }), {
      rule: "!has(self.requests) || !has(self.limits) || self.requests.all(k, !(k in self.limits) || quantity(string(self.requests[k])).compareTo(quantity(string(self.limits[k]))) <= 0)",
      message: "requests must not exceed limits",
    }),
    { requests: { cpu: "100m" }, limits: { cpu: 1 } },
    { requests: { cpu: "2" }, limits: { cpu: "500m", memory: "1Gi" } },
    { requests: { cpu: "2" } },
  ),
  ...specs(
    "label keys are qualified names",
    ruled(map(text), {
      rule: "self.all(k, !format.qualifiedName().validate(k).hasValue())",
      messageExpression:
        "self.filter(k, format.qualifiedName().validate(k).hasValue()).map(k, k + ': ' + format.qualifiedName().validate(k).value()[0]).join('; ')",
    }),
    { "a/b": "x" },
    { "a b": "x" },
  ),
  ...specs(
    "names are labels",
    object({ name: ruled(text, "!format.dns1123Label().validate(self).hasValue()") }),
    { name: "ok" },
    { name: "Not OK" },
  ),
  ...specs(
    "timeouts are ordered",
    ruled(object({ request: text, backend: text }), {
      rule: "!(has(self.request) && has(self.backend) && duration(self.request) != duration('0s') && duration(self.backend) > duration(self.request))",
      message: "backend timeout cannot be longer than request timeout",
    }),
    { request: "1s", backend: "500ms" },
    { request: "1s", backend: "2s" },
    { request: "0s", backend: "2s" },
    { request: "x", backend: "2s" },
  ),
  ...specs(
    "formatted durations and times",
    ruled(
      object({ after: { type: "string", format: "date-time" }, every: { type: "string", format: "duration" } }),
      "self.every >= duration('1m')",
      "!has(self.after) || self.after > timestamp('2020-01-01T00:00:00Z')",
    ),
    { every: "5m", after: "2021-01-01T00:00:00Z" },
    { every: "5s", after: "2019-01-01T00:00:00Z" },
    {},
  ),
  ...specs(
    "versions are newer than the minimum",
    object({
      version: ruled(text, {
        rule: "isSemver(self) && !semver(self).isLessThan(semver('1.20.0'))",
        message: "version must be at least 1.20.0",
      }),
    }),
    { version: "1.30.1" },
    { version: "1.19.9" },
    { version: "latest" },
  ),
  ...specs(
    "subnets lie in the network",
    ruled(object({ network: text, subnets: list(text) }), {
      rule: "self.subnets.all(s, cidr(self.network).containsCIDR(s))",
      message: "subnets must be inside of the network",
    }),
    { network: "10.0.0.0/8", subnets: ["10.1.0.0/16"] },
    { network: "10.0.0.0/8", subnets: ["11.0.0.0/16"] },
    { network: "x", subnets: ["11.0.0.0/16"] },
    { network: "10.0.0.0/8", subnets: ["x"] },
  ),
  ...specs(
    "webhooks use https",
    object({
      url: ruled(text, {
        rule: "url(self).getScheme() == 'https' && url(self).getPort() in ['', '443']",
        message: "must be https on port 443",
      }),
    }),
    { url: "https://a/b" },
    { url: "http://a" },
    { url: "https://a:8443/" },
    { url: "a b" },
  ),
  ...specs(
    "tolerations have values unless Exists",
    ruled(
      object({ operator: { ...text, default: "Equal" }, value: text }),
      "self.operator == 'Exists' ? !has(self.value) : true",
    ),
    { operator: "Exists", value: "x" },
    { value: "x" },
  ),
  ...specs(
    "topology keys are unique",
    ruled(
      list(object({ topologyKey: text, whenUnsatisfiable: text })),
      "self.all(x, self.exists_one(y, x.topologyKey == y.topologyKey && x.whenUnsatisfiable == y.whenUnsatisfiable))",
    ),
    [
      { topologyKey: "a", whenUnsatisfiable: "x" },
      { topologyKey: "a", whenUnsatisfiable: "y" },
    ],
    [
      { topologyKey: "a", whenUnsatisfiable: "x" },
      { topologyKey: "a", whenUnsatisfiable: "x" },
    ],
  ),
  ...specs(
    "conditions have a known type",
    ruled(list(object({ type: text, status: text })), {
      rule: "self.all(c, c.type.matches('^[A-Z][A-Za-z]*$') && c.status in ['True', 'False', 'Unknown'])",
      reason: "FieldValueForbidden",
    }),
    [{ type: "Ready", status: "True" }],
    [{ type: "ready", status: "True" }],
    [{ type: "Ready" }],
  ),
  ...specs(
    "a nullable value is not checked",
    object({ v: { ...ruled(integer, "self > 5"), nullable: true } }),
    { v: null },
    { v: 1 },
    { v: 6 },
  ),
  ...specs(
    "escaped names",
    ruled(
      object({ namespace: text, "my-field": text, "a.b/c": integer, a__b: text }),
      "self.__namespace__ != '' && self.my__dash__field == 'x' && self.a__dot__b__slash__c > 0 && self.a__underscores__b == 'y'",
    ),
    { namespace: "n", "my-field": "x", "a.b/c": 1, a__b: "y" },
    { namespace: "", "my-field": "x", "a.b/c": 1, a__b: "y" },
    { namespace: "n" },
  ),
  ...specs(
    "two variables over lists and maps",
    ruled(
      object({ l: list(integer), m: map(integer) }),
      "self.l.all(i, v, i == 0 || self.l[i - 1] <= v)",
      "!self.m.exists(k, v, k.startsWith('x') && v > 1)",
      "self.m.transformMap(k, v, v * 2).all(k, v, v == self.m[k] * 2)",
    ),
    { l: [1, 2, 2], m: { a: 5 } },
    { l: [2, 1], m: { x1: 5 } },
    {},
  ),
  ...specs(
    "optionals",
    ruled(
      object({ a: object({ b: object({ c: integer }) }) }),
      "self.?a.?b.?c.orValue(1) > 0",
      "self.?a.?b.?c.optMap(c, c < 10).orValue(true)",
    ),
    {},
    { a: {} },
    { a: { b: { c: 0 } } },
    { a: { b: { c: 11 } } },
  ),
  ...specs(
    "division and overflow",
    ruled(object({ a: integer, b: integer }), "self.a / self.b > 0", "self.a * 4611686018427387904 > 0"),
    { a: 4, b: 0 },
    { a: 1, b: 1 },
  ),
  ...specs(
    "reasons and paths",
    ruled(
      object({ a: map(text), b: text }),
      { rule: "false", reason: "FieldValueDuplicate", fieldPath: ".b" },
      { rule: "false", reason: "FieldValueInvalid", fieldPath: ".a['k']", message: "no" },
      { rule: "false", message: " padded " },
    ),
    { b: "x" },
  ),
  ...specs(
    "messages fall back",
    ruled(
      object({ s: text }),
      { rule: "self.s == ''", messageExpression: "self.s + '\\nsecond line'", message: "fallback" },
      { rule: "self.s == ''", messageExpression: "''", message: "fallback 2" },
      { rule: "self.s == ''", messageExpression: "string(1 / 0)" },
    ),
    { s: "x" },
    { s: "" },
  ),
  ...specs(
    "rules on scalars show values",
    object({
      s: ruled(text, "self == 'a'"),
      i: ruled(integer, "self == 1"),
      b: ruled(bool, "self"),
      l: ruled(list(integer), "self.size() == 0"),
      m: ruled(map(integer), "self.size() == 0"),
    }),
    { s: "b", i: 2, b: false, l: [1], m: { a: 1 } },
  ),
];

const blockingAndRatchets: SchemaCase[] = [
  ...specs(
    "rules wait for blocking errors",
    ruled(object({ a: integer }, { required: ["a"] }), "self.a > 1"),
    {},
    { a: "x" },
    { a: 1 },
  ),
  ...specs("patterns do not block rules", ruled(object({ a: { ...text, pattern: "^x" } }), "self.a == 'z'"), {
    a: "y",
  }),
  ...specs(
    "unchanged failures are warnings",
    ruled(object({ a: ruled(integer, "self > 5"), b: integer, l: list(ruled(integer, "self > 5")) }), "self.b > 5"),
    { to: { a: 1, b: 1, l: [1] }, from: { a: 1, b: 1, l: [1] } },
    { to: { a: 1, b: 2, l: [1, 2] }, from: { a: 1, b: 1, l: [1] } },
    { to: { a: 2, b: 6 }, from: { a: 1, b: 6 } },
  ),
  ...specs("transition rules are never forgiven", ruled(object({ a: integer }), "self.a > oldSelf.a"), {
    to: { a: 1 },
    from: { a: 1 },
  }),
  ...specs(
    "entries of map lists are forgiven by key",
    mapList("n", object({ n: text, v: ruled(integer, "self > 5") })),
    {
      to: [
        { n: "b", v: 2 },
        { n: "a", v: 1 },
      ],
      from: [
        { n: "a", v: 1 },
        { n: "b", v: 3 },
      ],
    },
  ),
];

const roots: SchemaCase[] = [
  {
    name: "the root has type and name",
    schema: ruled(
      object({ spec: object({ a: integer }) }),
      "self.metadata.name.startsWith('x')",
      "self.kind == 'K' && self.apiVersion == 'g/v1'",
      "!has(self.metadata.generateName)",
    ),
    object: { apiVersion: "g/v1", kind: "K", metadata: { name: "abc", labels: { a: "b" } }, spec: { a: 1 } },
  },
  {
    name: "embedded resources have type and name",
    schema: object({
      t: ruled(
        object({ spec: object({}) }, { "x-kubernetes-embedded-resource": true }),
        "self.metadata.name == 'x' && self.kind == 'Pod'",
      ),
    }),
    object: { t: { apiVersion: "v1", kind: "Pod", metadata: { name: "y" } } },
  },
  {
    name: "rules inside of allOf",
    schema: object({ a: { ...integer, allOf: [{ "x-kubernetes-validations": [{ rule: "self > 5" }] }] } }),
    object: { a: 1 },
  },
  {
    name: "rules inside of allOf beside others",
    schema: object({
      a: { ...ruled(integer, "self > 3"), allOf: [{ "x-kubernetes-validations": [{ rule: "self > 5" }] }] },
    }),
    object: { a: 1 },
  },
];

/** Rules that do not compile, in many ways. */
const uncompilable: SchemaCase[] = [
  ...[
    "self.a +",
    "self.zz == 1",
    "self.a == 'x'",
    "self.a",
    "foo(self)",
    "self.all(x, true)",
    "has(self.zz)",
    "self.l.all(x, x.y > 1)",
    "self.s.matches('(')",
    "self.a > 1 &&",
    "self.a in self.s",
  ].flatMap((rule) =>
    specs(`does not compile: ${rule}`, ruled(object({ a: integer, s: text, l: list(object({ n: text })) }), rule), {
      a: 1,
    }),
  ),
  ...specs(
    "message does not compile",
    ruled(
      object({ a: integer }),
      { rule: "self.a > 1", messageExpression: "self.zz" },
      { rule: "self.a > 1", messageExpression: "self.a" },
    ),
    { a: 1 },
  ),
];

const expensive: SchemaCase[] = [
  ...specs(
    "nested loops end at the limit",
    ruled(list(integer), "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))"),
    Array.from({ length: 150 }, (_, index) => index),
  ),
];

/** All cases about rules. */
export const ruleCases: readonly SchemaCase[] = [
  ...routes,
  ...gateways,
  ...immutability,
  ...workloads,
  ...blockingAndRatchets,
  ...roots,
  ...uncompilable,
  ...expensive,
];
