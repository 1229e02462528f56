/** Combines what may be known or yet to come. Credentials are asked for with every request, and hardly ever have to be waited for. */

type AllAwaited<Values extends readonly unknown[]> = { -readonly [Index in keyof Values]: Awaited<Values[Index]> };

/** What `combine` makes of all values: at once, unless one of them is yet to come. */
export function whenAll<const Values extends readonly unknown[], Result>(
  values: Values,
  combine: (values: AllAwaited<Values>) => Result,
): Result | Promise<Result> {
  if (values.some((value) => value instanceof Promise)) return Promise.all(values).then(combine);
  return combine(values as AllAwaited<Values>); // None of them is a promise.
}
