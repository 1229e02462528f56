/** Combines what may be known or yet to come. Credentials are asked for with every request, and hardly ever change or have to be waited for. */

type Sources<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: () => Values[Index] | Promise<Values[Index]>;
};

/** What `combine` makes of all sources: at once, unless one of them is yet to come, and the same again while they are. */
export function combined<Values extends readonly unknown[], Result>(
  sources: Sources<Values>,
  combine: (values: Values) => Result,
): () => Result | Promise<Result> {
  let known: { readonly values: readonly unknown[]; readonly result: Result } | undefined;
  return () => {
    const values = sources.map((source) => source());
    if (values.some((value) => value instanceof Promise))
      return Promise.all(values).then((all) => combine(all as unknown as Values));
    const before = known;
    if (before !== undefined && values.every((value, index) => value === before.values[index])) return before.result;
    known = { values, result: combine(values as unknown as Values) }; // None of them is a promise.
    return known.result;
  };
}
