/**
 * CRDs get the same verdict as from a real kube-apiserver 1.36: `node tools/crd-oracle/oracle.ts` recorded its answers.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { FieldError } from "../protocol/field-error.ts";
import type { CrdInput } from "./crd-input.ts";
import { crdWarnings } from "./crd-warnings.ts";
import { validateCrd } from "./validate-crd.ts";

interface Golden {
  readonly name: string;
  readonly crd: CrdInput;
  readonly old?: CrdInput;
  readonly code: number;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

const goldens: readonly Golden[] = JSON.parse(
  readFileSync(`${import.meta.dirname}/testdata/crd-validation.json`, "utf8"),
);

for (const { name, crd, code, warnings } of goldens) {
  if (code >= 400) continue;
  test(`a CRD gets the warnings of kube-apiserver: ${name}`, () => {
    assert.deepEqual(crdWarnings(crd), warnings);
  });
}

for (const { name, crd, old, errors } of goldens) {
  test(`a CRD is judged as by kube-apiserver: ${name}`, () => {
    const established = { storedVersions: ["v1"], conditions: [{ type: "Established", status: "True" }] };
    const actual =
      old === undefined
        ? validateCrd(withStoredVersion(crd))
        : validateCrd(
            { ...crd, status: { storedVersions: storedAfterUpdate(crd) } },
            { old: { ...old, status: established } },
          );
    assert.deepEqual(texts(actual), texts(errors));
  });
}

/** What the registry sets on create: the storage version is a stored version. */
function withStoredVersion(crd: CrdInput): CrdInput {
  const storage = crd.spec?.versions?.find((version) => version.storage)?.name;
  return { ...crd, status: { storedVersions: storage === undefined ? [] : [storage] } };
}

function storedAfterUpdate(crd: CrdInput): string[] {
  const storage = crd.spec?.versions?.find((version) => version.storage)?.name ?? "v1";
  return [...new Set(["v1", storage])];
}

/** Errors as sorted texts. Values that Go prints as structs with addresses are left out. */
function texts(errors: readonly FieldError[]): string[] {
  const shown = errors.map(({ type, field, message }) => `${type} ${field}: ${message}`);
  return [
    ...new Set(
      shown.map((text) =>
        text.replace(/Invalid value: ([[{]|apiextensions\.|\[\]apiextensions\.).*[}\]]: /s, "Invalid value: … : "),
      ),
    ),
  ].sort();
}
