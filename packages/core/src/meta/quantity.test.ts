import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../ports/random.ts";
import { isMalformed } from "./malformed.ts";
import { parseQuantity, type Quantity, quantityOf } from "./quantity.ts";
import {
  addQuantities,
  compareQuantities,
  multiplyQuantity,
  quantityToBigint,
  quantityToNumber,
  subtractQuantities,
} from "./quantity-arithmetic.ts";
import { canonicalQuantity, formatQuantity } from "./quantity-format.ts";

test("texts become canonical", () => {
  const cases = {
    "1000m": "1",
    "1024Mi": "1Gi",
    "0.5": "500m",
    "1500m": "1500m",
    "0.1Gi": "107374182400m",
    "100e6": "100e6",
    "1e2": "100",
    "0Ki": "0",
    "2000k": "2M",
    "1.5Gi": "1536Mi",
    "0.0000000001": "1n",
    "-0.0000000001": "-1n",
    "1000000000000E": "1000000000000E",
  };
  for (const [text, canonical] of Object.entries(cases)) assert.equal(canonicalQuantity(text), canonical, text);
});

test("what Kubernetes prints as it was written stays as it was written", () => {
  for (const text of ["+1", "1.500", "1E3", "05Gi"]) assert.equal(canonicalQuantity(text), text);
});

test("amounts below one are decimal whatever they were written in", () => {
  assert.equal(parseQuantity("0.0001Ki").format, "DecimalSI");
});

test("binary amounts stop at the largest 64-bit integer", () => {
  assert.equal(quantityToBigint(parseQuantity("99999Ei")), 2n ** 63n - 1n);
});

test("texts that are no quantity are refused with Kubernetes' texts", () => {
  const pattern = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const text of ["", " ", "1 Gi", "1Gi ", "one", "1.2.3", "0x10"]) {
    assert.throws(() => parseQuantity(text), { message: pattern, code: "Malformed" }, text);
  }
  for (const text of ["1K", "1ki", "1e", "1mm", "1-5", "1e99999999999"]) {
    assert.throws(() => parseQuantity(text), { message: "unable to parse quantity's suffix", code: "Malformed" }, text);
  }
});

test("sums take the format of the first, or of the second when the first is zero", () => {
  const sum = (a: string, b: string): string => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
  assert.equal(sum("1Gi", "1G"), "2073741824");
  assert.equal(sum("1G", "1Gi"), "2073741824");
  assert.equal(sum("0", "1Gi"), "1Gi");
  assert.equal(sum("100m", "900m"), "1");
});

test("whole and milli values round away from zero", () => {
  assert.equal(quantityToBigint(parseQuantity("1500m")), 2n);
  assert.equal(quantityToBigint(parseQuantity("-1500m")), -2n);
  assert.equal(quantityToBigint(parseQuantity("1"), -3), 1000n);
  assert.equal(quantityToBigint(parseQuantity("1Ki")), 1024n);
  assert.equal(quantityToNumber(parseQuantity("250m")), 0.25);
});

const bytes = (seed: number): (() => Quantity) => {
  const random = seededRandom(seed);
  const suffixes = ["", "m", "k", "M", "Ki", "Mi", "Gi", "e3", "n"];
  return () => {
    const sign = random.next() < 0.3 ? "-" : "";
    const suffix = suffixes[Math.floor(random.next() * suffixes.length)] ?? "";
    return parseQuantity(`${sign}${Math.floor(random.next() * 1e6)}${suffix}`);
  };
};

test("for all quantities: adding then subtracting gives the same, and printing then reading too", () => {
  const draw = bytes(11);
  for (let round = 0; round < 2000; round++) {
    const [a, b] = [draw(), draw()];
    assert.equal(compareQuantities(subtractQuantities(addQuantities(a, b), b), a), 0);
    assert.equal(compareQuantities(parseQuantity(formatQuantity(addQuantities(a, b))), addQuantities(b, a)), 0);
    assert.equal(compareQuantities(a, b), -compareQuantities(b, a) + 0);
    assert.equal(compareQuantities(multiplyQuantity(a, 2), addQuantities(a, a)), 0);
  }
});

test("absurd exponents cost nothing, and what cannot be exact is refused", () => {
  const huge = parseQuantity("12345678901234567890e2000000000");
  const tiny = parseQuantity("1e-2000000000");
  assert.equal(formatQuantity(tiny), "1e-9");
  assert.equal(compareQuantities(huge, tiny), 1);
  assert.equal(compareQuantities(huge, quantityOf(2n ** 100n)), 1);
  assert.throws(() => addQuantities(huge, tiny), isMalformed);
});
