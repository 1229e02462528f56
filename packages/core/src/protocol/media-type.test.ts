import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAcceptAs, negotiate, type Offers, PATCH_MEDIA_TYPES, parseAccept, patchTypeOf } from "./media-type.ts";

const table = { group: "meta.k8s.io", version: "v1", kind: "Table" };
const plainOffers: Offers = { mediaTypes: ["application/json", "application/yaml"] };
const tableOffers: Offers = {
  ...plainOffers,
  transforms: (kind, mediaType) => kind.kind === "Table" && kind.version === "v1" && mediaType === "application/json",
};

const typeOf = (accept: string | undefined, offers = plainOffers): string | undefined =>
  negotiate(accept, offers)?.mediaType;

test("without an Accept header the first offer answers", () => {
  assert.equal(typeOf(undefined), "application/json");
  assert.equal(typeOf(""), "application/json");
});

test("clauses are tried best first: by quality, then the more specific", () => {
  assert.equal(typeOf("application/json;q=0.5, application/yaml"), "application/yaml");
  assert.equal(typeOf("*/*, application/yaml"), "application/yaml");
  assert.equal(typeOf("text/html, application/*;q=0.3"), "application/json");
  assert.equal(typeOf("*"), "application/json");
  assert.deepEqual(
    parseAccept("a/*, nonsense, b/c;q=0.1, d/e").map(({ type }) => type),
    ["d/e", "a/*", "b/c"],
  );
});

test("nothing acceptable is undefined", () => {
  assert.equal(typeOf("text/html"), undefined);
  assert.equal(typeOf("application/json;stream=tail"), undefined);
  assert.equal(typeOf("application/json;sv=v2"), undefined);
});

test("protobuf clients that also take JSON get JSON", () => {
  assert.equal(typeOf("application/vnd.kubernetes.protobuf,application/json"), "application/json");
  assert.equal(typeOf("application/vnd.kubernetes.protobuf, */*"), "application/json");
});

test("another kind is given where it is on offer, otherwise the next clause", () => {
  const accept =
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
  assert.deepEqual(negotiate(accept, tableOffers)?.as, table);
  assert.deepEqual(negotiate(accept, plainOffers), {
    mediaType: "application/json",
    pretty: false,
    stream: "",
    profile: "",
  });
  assert.deepEqual(negotiate(formatAcceptAs(table), tableOffers)?.as, table);
  assert.equal(negotiate("application/json;as=Chair;v=v1;g=meta.k8s.io", tableOffers), undefined);
});

test("pretty, stream and profile are understood; unknown parameters mean nothing", () => {
  const accept = 'application/json;pretty=1;stream=watch;profile="nopeer";x=y;charset';
  const { pretty, stream, profile } = negotiate(accept, plainOffers) ?? {};
  assert.deepEqual({ pretty, stream, profile }, { pretty: true, stream: "watch", profile: "nopeer" });
});

test("patches go by their content types", () => {
  for (const [type, mediaType] of Object.entries(PATCH_MEDIA_TYPES)) assert.equal(patchTypeOf(mediaType), type);
  assert.equal(patchTypeOf("Application/Merge-Patch+JSON; charset=utf-8"), "merge");
  assert.equal(patchTypeOf("application/json"), undefined);
});
