import assert from "node:assert/strict";
import { test } from "node:test";
import type { PodSpec } from "@kubewright/api/core/v1";
import { alikeSpec } from "./alike-specs.ts";
import { validatePodSpec } from "./pod-spec.ts";

function specWith(volume: string, mount = volume): PodSpec {
  return {
    containers: [
      {
        name: "main",
        image: "main",
        imagePullPolicy: "Always",
        terminationMessagePolicy: "File",
        volumeMounts: [{ name: mount, mountPath: "/token" }],
      },
    ],
    volumes: [{ name: volume, emptyDir: {} }],
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
  };
}

test("specs that differ in the name of their token's volume alone are alike", () => {
  const first = specWith("kube-api-access-aaaaa");
  assert.equal(alikeSpec(first), first);
  assert.equal(alikeSpec(specWith("kube-api-access-bbbbb")), first);
  assert.equal(alikeSpec(specWith("kube-api-access-ccccc")), first);
});

test("every other difference counts", () => {
  const first = alikeSpec(specWith("kube-api-access-aaaaa"));
  const others: readonly PodSpec[] = [
    specWith("data"),
    specWith("kube-api-access-aaaaa", "kube-api-access-bbbbb"),
    specWith("kube-api-access-A!aaa"),
    specWith(""),
    specWith("token"),
    { ...specWith("kube-api-access-aaaaa"), restartPolicy: "Never" },
  ];
  for (const other of others) assert.notEqual(alikeSpec(other), first);
});

test("a spec is refused although one like it was right, when its mount is of another volume", () => {
  assert.deepEqual(validatePodSpec("spec", specWith("kube-api-access-aaaaa")), []);
  assert.deepEqual(validatePodSpec("spec", specWith("kube-api-access-bbbbb")), []);
  const [error] = validatePodSpec("spec", specWith("kube-api-access-aaaaa", "kube-api-access-bbbbb"));
  assert.equal(error?.field, "spec.containers[0].volumeMounts[0].name");
});
