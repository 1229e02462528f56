/**
 * States of objects, of which those used last are decoded and all others are text. A store has one of these for its objects. Always holds: a
 * state that somebody may still read has its object, its text or both.
 */
import { deepFreeze, parseJson, parsePlainJson, stringifyJson } from "@kubewright/core/meta";

/**
 * How many decoded objects are kept for the next reader, who mostly is the same reconcile. More live long enough to be moved out of the
 * young generation, where getting rid of them is dear: 256 cost a restart on 20 000 objects a fifteenth more processor time.
 */
const DECODED_MAX = 64;

/** One state of an object: decoded while it is among those used last, text otherwise. */
export interface State<Kind> {
  text: string | undefined;
  /** JSON.parse reads the text without loss: it came so. */
  isPlain: boolean;
  object: Kind | undefined;
}

/** A state that is to be decoded from its text, as watches bring it, or remembered as an object. */
export function stateOf<Kind>(text: string | undefined): State<Kind> {
  return { text, isPlain: text !== undefined, object: undefined };
}

/** The object of a state that is text; frozen. */
export function decodeState<Kind>({ text = "", isPlain }: State<Kind>): Kind {
  return deepFreeze((isPlain ? parsePlainJson(text) : parseJson(text)) as unknown as Kind);
}

/** Spares a state to be written as text when it is no longer among those used last. */
export function keepText<Kind>(state: State<Kind>, text: string | undefined): void {
  if (text === undefined || state.text !== undefined) return;
  state.text = text;
  state.isPlain = true;
}

/** The states decoded last, in a ring: each newcomer takes the place of the oldest. */
export class DecodedStates<Kind> {
  readonly #ring: State<Kind>[] = [];
  #next = 0;

  /** The object of a state; frozen. */
  decode(state: State<Kind>): Kind {
    return state.object ?? this.remember(state, decodeState(state));
  }

  /** Keeps a decoded object for the next reader; the one whose place it takes becomes text. */
  remember(state: State<Kind>, object: Kind): Kind {
    const oldest = this.#ring[this.#next];
    if (oldest?.object !== undefined) {
      oldest.text ??= stringifyJson(oldest.object);
      oldest.object = undefined;
    }
    this.#ring[this.#next] = state;
    this.#next = (this.#next + 1) % DECODED_MAX;
    state.object = object;
    return object;
  }
}

/** Nobody will read the state again, so it need not become text. */
export function forget<Kind>(state: State<Kind>): void {
  state.object = undefined;
}
