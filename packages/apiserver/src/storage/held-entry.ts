/**
 * An entry that holds its object in memory: clients in the process share it, and its text is made when a reader on a socket
 * asks for it. Made by memory.ts. Always holds: the object is deeply frozen.
 */
import {
  freezeOwn,
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Labels,
  showWhole,
} from "@kubewright/core/meta";
import { type ApiObject, encodeObject } from "../resource/object.ts";
import type { StoredEntry, StoredValue } from "./storage.ts";

/** A stored object, held as a value. */
export class HeldEntry implements StoredEntry {
  readonly key: string;
  readonly revision: number;
  readonly labels: Labels | undefined;
  /** About how much memory it takes that no entry before it does, counted in characters of text. */
  readonly characters: number;
  #value: StoredValue | (() => StoredValue);
  #shown: JsonObject | undefined;
  #text: string | undefined;
  #settled: JsonObject | undefined | null = null;

  /** A value that is made when somebody asks for it is to have its parts of the entry before it. */
  constructor(
    { key, revision, labels }: Pick<StoredEntry, "key" | "revision" | "labels">,
    value: StoredValue | (() => StoredValue),
  ) {
    this.key = key;
    this.revision = revision;
    this.labels = labels;
    this.#value = value;
    this.characters = typeof value === "function" ? 0 : freezeOwn(value.object);
  }

  get value(): StoredValue {
    if (typeof this.#value === "function") {
      this.#value = this.#value();
      freezeOwn(this.#value.object);
    }
    return this.#value;
  }

  /** The object with its managedFields. */
  get shown(): JsonObject {
    this.#shown ??= showWhole(this.value.object, this.value.owners);
    return this.#shown;
  }

  get settled(): JsonObject | undefined {
    if (this.#settled === null) this.#settled = settledObject(this.value);
    return this.#settled;
  }

  get text(): string {
    this.#text ??= encodeObject(this.shown as ApiObject, this.revision); // Only the registry stores values.
    return this.#text;
  }
}

/**
 * The object without the nulls that Go writes for what is absent; undefined when that is not known without a look at all of
 * it: storage does not tell an empty list from none, so where one was written there is null now, and nothing without nulls.
 */
function settledObject({ object, settled }: StoredValue): JsonObject | undefined {
  if (settled === undefined) return undefined;
  const { metadata } = object;
  let hasNull = false;
  for (const name of Object.keys(object)) {
    if (name === "metadata" || object[name] === settled[name]) continue;
    hasNull = true;
    if (losesList(settled[name] ?? null, object[name])) return undefined;
  }
  return hasNull ? { ...settled, metadata } : object;
}

/** Whether a list of one value that is empty is none in the other; parts that they share are passed over. */
function losesList(settled: Json, stored: Json | undefined): boolean {
  if (settled === stored || typeof settled !== "object" || settled === null) return false;
  if (isJsonArray(settled)) {
    const items = isJsonArray(stored) ? stored : [];
    return settled.length === 0 || settled.some((item, index) => losesList(item, items[index]));
  }
  const fields = isJsonObject(stored) ? stored : {};
  return Object.keys(settled).some((key) => losesList(settled[key] ?? null, getKey(fields, key)));
}
