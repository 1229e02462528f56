import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@kubewright/core/meta";
import { seededRandom } from "@kubewright/core/ports";
import type { Crd } from "@kubewright/core/schema";
import type { ApiObject } from "../resource/object.ts";
import { createConversion } from "./conversion-webhook.ts";

const webhook = { clientConfig: { url: "https://convert.example.com" }, conversionReviewVersions: ["v3", "v1"] };

function widget(apiVersion: string, name: string): ApiObject {
  return { apiVersion, kind: "Widget", metadata: { name } };
}

test("the objects of a list travel in one review, without those that are right already", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: what the webhook was sent.
  const reviews: any[] = [];
  const convert = createConversion({ spec: { conversion: { strategy: "Webhook", webhook } } } as unknown as Crd, {
    random: seededRandom(1),
    callWebhook: async ({ body }) => {
      // biome-ignore lint/suspicious/noExplicitAny: what the webhook was sent.
      const review = parseJson(body) as any;
      reviews.push(review);
      const { uid, objects, desiredAPIVersion } = review.request;
      const convertedObjects = objects.map((object: ApiObject) => ({ ...object, apiVersion: desiredAPIVersion }));
      return { ...review, response: { uid, result: { status: "Success" }, convertedObjects } };
    },
  });
  const objects = [widget("e.io/v1", "a"), widget("e.io/v2", "b"), widget("e.io/v1", "c")];
  const converted = await convert?.(objects, "e.io/v2");
  assert.deepEqual(converted, [widget("e.io/v2", "a"), widget("e.io/v2", "b"), widget("e.io/v2", "c")]);
  assert.equal(reviews.length, 1);
  assert.deepEqual(reviews[0].request.objects, [widget("e.io/v1", "a"), widget("e.io/v1", "c")]);
  assert.equal(reviews[0].apiVersion, "apiextensions.k8s.io/v1");
});

test("versions without a webhook need no converter", () => {
  const crd = { spec: { conversion: { strategy: "None" } } } as unknown as Crd;
  const callWebhook = () => assert.fail("nobody is called");
  assert.equal(createConversion(crd, { random: seededRandom(1), callWebhook }), undefined);
});
