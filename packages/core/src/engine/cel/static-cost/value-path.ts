/**
 * Where a value comes from: a variable, then fields and elements. cel-go keeps paths in slices that share their memory, so that a
 * path may change when another is made longer; rules are accepted and refused by it, so it is the same here.
 */

/** A path: the first `length` names of a memory that others may use, too. */
export interface ValuePath {
  readonly memory: (string | undefined)[];
  readonly length: number;
}

/** The value of no variable. */
export const noPath: ValuePath = { memory: [], length: 0 };

/** The value of a variable itself. */
export function pathOfVariable(name: string): ValuePath {
  return { memory: [name], length: 1 };
}

/** The path with one more name, written over what another path had there when the memory has room. */
export function extend({ memory, length }: ValuePath, name: string): ValuePath {
  const room = length < memory.length ? memory : grown(memory, length);
  room[length] = name;
  return { memory: room, length: length + 1 };
}

/** Memory doubles when it is full. */
function grown(memory: readonly (string | undefined)[], length: number): (string | undefined)[] {
  return Array.from({ length: Math.max(1, 2 * length) }, (_, index) => memory[index]);
}
