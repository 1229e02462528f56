/**
 * An entry that holds its object in memory: clients in the process share it, and its text is made when a reader on a socket
 * asks for it. Made by memory.ts. Always holds: the object is deeply frozen.
 */
import { freezeOwn, type JsonObject, type Labels, showWhole } from "@kubewright/core/meta";
import { type ApiObject, encodeObject } from "../resource/object.ts";
import type { StoredEntry, StoredValue } from "./storage.ts";

/** A stored object, held as a value. */
export class HeldEntry implements StoredEntry {
  readonly key: string;
  readonly revision: number;
  readonly labels: Labels | undefined;
  readonly value: StoredValue;
  /** About how much memory it takes that no entry before it does, counted in characters of text. */
  readonly characters: number;
  #shown: JsonObject | undefined;
  #text: string | undefined;

  constructor({ key, revision, labels }: Pick<StoredEntry, "key" | "revision" | "labels">, value: StoredValue) {
    this.key = key;
    this.revision = revision;
    this.labels = labels;
    this.value = value;
    this.characters = freezeOwn(value.object);
  }

  /** The object with its managedFields. */
  get shown(): JsonObject {
    this.#shown ??= showWhole(this.value.object, this.value.owners);
    return this.#shown;
  }

  get text(): string {
    this.#text ??= encodeObject(this.shown as ApiObject, this.revision); // Only the registry stores values.
    return this.#text;
  }
}
