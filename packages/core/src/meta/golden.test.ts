/** Compares with what Kubernetes' own libraries answered; tools/meta-oracle recorded the files in testdata. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { formatAge, formatShortAge } from "./age.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { formatLabelSelector } from "./label-selector.ts";
import { parseLabelSelector } from "./label-selector-text.ts";
import { isMalformed } from "./malformed.ts";
import { parseQuantity } from "./quantity.ts";
import {
  addQuantities,
  compareQuantities,
  multiplyQuantity,
  negateQuantity,
  subtractQuantities,
} from "./quantity-arithmetic.ts";
import { formatQuantity } from "./quantity-format.ts";

interface Case {
  readonly input: string;
  readonly error?: string;
}

function readCases<Kind>(name: string): readonly Kind[] {
  return JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as Kind[];
}

/** What `read` makes of a case, errors as their text. */
function answer(read: () => string): { readonly error: string } | { readonly output: string } {
  try {
    return { output: read() };
  } catch (error) {
    assert.ok(isMalformed(error), String(error));
    return { error: error.message };
  }
}

function expected(golden: Case & { readonly output: string }): object {
  return golden.error === undefined ? { output: golden.output } : { error: golden.error };
}

interface QuantityCase extends Case {
  readonly canonical: string;
  readonly format: string;
  readonly other: string;
  readonly comparison: number;
  readonly sum: string;
  readonly difference: string;
  readonly factor: number;
  readonly product: string;
  readonly negated: string;
}

test("quantities are read, printed, compared and computed as in Kubernetes", () => {
  const cases = readCases<QuantityCase>("quantities");
  assert.ok(cases.length >= 200);
  for (const golden of cases) {
    const { input, error, other, factor, ...rest } = golden;
    if (error !== undefined) {
      assert.deepEqual(
        answer(() => formatQuantity(parseQuantity(input))),
        { error },
        input,
      );
      continue;
    }
    const quantity = parseQuantity(input);
    const second = parseQuantity(other);
    const actual = {
      canonical: formatQuantity(quantity),
      format: quantity.format,
      comparison: compareQuantities(quantity, second),
      sum: formatQuantity(addQuantities(quantity, second)),
      difference: formatQuantity(subtractQuantities(quantity, second)),
      product: formatQuantity(multiplyQuantity(quantity, factor)),
      negated: formatQuantity(negateQuantity(quantity)),
    };
    assert.deepEqual(actual, rest, input);
  }
});

test("label selectors are read, printed and refused as in Kubernetes", () => {
  for (const golden of readCases<Case & { readonly output: string }>("selectors")) {
    const actual = answer(() => formatLabelSelector(parseLabelSelector(golden.input)));
    assert.deepEqual(actual, expected(golden), golden.input);
  }
});

test("durations are read and refused as in Go", () => {
  for (const golden of readCases<Case & { readonly output: string }>("duration-texts")) {
    assert.deepEqual(
      answer(() => String(parseDuration(golden.input))),
      expected(golden),
      golden.input,
    );
  }
});

interface DurationCase {
  readonly nanoseconds: string;
  readonly text: string;
  readonly age: string;
  readonly shortAge: string;
}

test("durations and ages are printed as in Go and kubectl", () => {
  for (const { nanoseconds, ...texts } of readCases<DurationCase>("durations")) {
    const spanMs = Number(nanoseconds) / 1e6;
    const actual = {
      text: formatDuration(BigInt(nanoseconds)),
      age: formatAge(spanMs),
      shortAge: formatShortAge(spanMs),
    };
    assert.deepEqual(actual, texts, nanoseconds);
  }
});
