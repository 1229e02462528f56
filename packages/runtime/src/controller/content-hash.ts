/**
 * A short hash of what was declared, by which children tell whether anything about them is to change. Arithmetic of our own: in an idle process
 * the way into a library for cryptography and back takes as long as the rest of a plan. It is no secret's keeper: whoever wants two
 * values with one hash can find them, and gains nothing by it but that a change of theirs is not carried out.
 */
import type { KubernetesObject } from "@kubewright/core/meta";

const FEW = 16;
/** Three times 32 bits, which differ in where they begin, in what they multiply by and in how they turn; signed, as V8 keeps them without a box. */
const SEEDS = [0x243f6a88, 0x85a308d3 | 0, 0x13198a2e] as const;
const DIGITS = 36;
/** As many as 32 bits may need. */
const LANE_LENGTH = 7;
/** What begins a value of each kind; a text begins with its length. */
const [NOTHING, YES, NO, NUMBER, TEXT, LIST, FIELDS, END] = [1, 2, 3, 4, 5, 6, 7, 8];

const NAME: ReadonlySet<string> = new Set(["name"]);
const APART: ReadonlySet<string> = new Set(["metadata", "status"]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * A short hash of a JSON value, the same whatever the order of keys; fit for labels and annotations.
 * @example annotations: { "example.com/config": contentHash(spec.config) } // Pods of another configuration are other pods.
 */
export function contentHash(value: unknown): string {
  const hash = new Hash();
  hash.take(value);
  return hash.digits();
}

/** The hash of what is declared of an object: all but its name and its status. */
export function declaredHash(object: KubernetesObject): string {
  const hash = new Hash();
  hash.takeFields((object.metadata ?? {}) as Fields, NAME);
  hash.takeFields(object as Fields, APART);
  return hash.digits();
}

/** Takes values in, one after the other. */
class Hash {
  #first: number = SEEDS[0];
  #second: number = SEEDS[1];
  #third: number = SEEDS[2];
  #units = 0;

  /** Takes a value in. */
  take(value: unknown): void {
    if (typeof value === "string") this.#takeText(TEXT, value);
    else if (typeof value === "number") this.#takeText(NUMBER, JSON.stringify(value));
    else if (typeof value === "boolean") this.#turn(value ? YES : NO);
    else if (Array.isArray(value)) this.#takeList(value);
    else if (typeof value === "object" && value !== null) this.takeFields(value as Fields);
    else this.#turn(NOTHING);
  }

  /** Takes the fields of an object in, without some; undefined ones are none. */
  takeFields(fields: Fields, leftOut?: ReadonlySet<string>): void {
    this.#turn(FIELDS);
    for (const key of sort(Object.keys(fields))) {
      const value = fields[key];
      if (value === undefined || leftOut?.has(key) === true) continue;
      this.#takeText(TEXT, key);
      this.take(value);
    }
    this.#turn(END);
  }

  /** What was taken in, in 21 digits and letters. */
  digits(): string {
    const [mixed, sum] = [mix(this.#first ^ this.#units), this.#second + this.#third];
    return digitsOf(mixed) + digitsOf(mix(this.#second ^ mixed)) + digitsOf(mix(sum ^ mixed));
  }

  #takeList(values: readonly unknown[]): void {
    this.#turn(LIST);
    for (const value of values) this.take(value);
    this.#turn(END);
  }

  #takeText(kind: number, text: string): void {
    this.#turn(kind);
    this.#turn(text.length);
    for (let index = 0; index < text.length; index++) this.#turn(text.charCodeAt(index));
  }

  #turn(unit: number): void {
    const first = this.#first;
    const second = this.#second;
    const third = this.#third;
    this.#first = Math.imul((first << 5) | (first >>> 27), 0x9e3779b1) ^ unit;
    this.#second = Math.imul((second << 11) | (second >>> 21), 0x85ebca77) ^ unit;
    this.#third = Math.imul((third << 17) | (third >>> 15), 0xc2b2ae3d) ^ unit;
    this.#units += 1;
  }
}

/** Lets each bit change all others. */
function mix(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return twice ^ (twice >>> 16);
}

function digitsOf(lane: number): string {
  return (lane >>> 0).toString(DIGITS).padStart(LANE_LENGTH, "0");
}

/** Sorts in place. Most objects have a handful of keys, for which `Array.sort` makes more garbage than the keys are. */
function sort(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end] as string;
    let place = end;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}
