/**
 * Is a history strictly serialisable? Writes have their place in one order by their revisions; what a request saw confines it to
 * the revisions at which that was so. There must be a place for each such that whoever was answered before another began also
 * stands before it. Taking the earliest place for each in the order of their beginnings finds one if there is any.
 */
import type { Change, History, Operation, Watched } from "./history.ts";

/** Revisions at which an operation may have happened, both ends included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a key held over some revisions. */
interface Segment extends Span {
  readonly change: Change | undefined;
}

type Segments = ReadonlyMap<string, readonly Segment[]>;

/** Everything that is wrong with a history, in sentences; empty when it is consistent. */
export function checkHistory({ changes, operations, watches }: History): readonly string[] {
  const disorder = changes.filter(({ revision }, index) => revision <= (changes[index - 1]?.revision ?? 0));
  const segments = segmentsOf(changes);
  return [
    ...disorder.map(({ revision }) => `the change at ${revision} was told out of order`),
    ...checkOrder(operations, changes, segments),
    ...watches.flatMap((watched) => checkWatch(watched, changes)),
  ];
}

function checkOrder(operations: readonly Operation[], changes: readonly Change[], segments: Segments): string[] {
  const problems: string[] = [];
  const placed: { readonly returned: number; readonly place: number }[] = [];
  for (const operation of operations.toSorted((a, b) => a.invoked - b.invoked)) {
    if (operation.outcome.type === "unknown") continue;
    const spans = spansOf(operation, changes, segments);
    const earlier = placed.filter(({ returned }) => returned < operation.invoked).map(({ place }) => place);
    const after = Math.max(0, ...earlier);
    const span = spans.find(({ to }) => to >= after);
    if (span === undefined) problems.push(describe(operation, after, spans));
    else placed.push({ returned: operation.returned, place: Math.max(span.from, after) });
  }
  return problems;
}

function describe({ client, key, outcome }: Operation, after: number, spans: readonly Span[]): string {
  const shown = JSON.stringify(outcome, (_, value) => (value instanceof Map ? [...value] : value));
  const possible = spans.map(({ from, to }) => `${from}–${to}`).join(", ");
  return `client ${client} cannot have seen ${shown} of ${JSON.stringify(key)} after revision ${after}: possible at ${possible || "none"}`;
}

function spansOf({ key, outcome }: Operation, changes: readonly Change[], segments: Segments): readonly Span[] {
  const ofKey = segments.get(key) ?? [{ from: 0, to: Number.POSITIVE_INFINITY, change: undefined }];
  const holding = (holds: (change: Change | undefined) => boolean): readonly Span[] =>
    ofKey.filter(({ change }) => holds(change));
  switch (outcome.type) {
    case "read":
      return holding((change) => change?.revision === outcome.revision && change.value === outcome.value);
    case "created":
      return written(ofKey, outcome, (before) => before === undefined);
    case "replaced":
      return written(ofKey, outcome, (before) => before !== undefined && before === (outcome.expected ?? before));
    case "deleted":
      return changes
        .filter(({ type, uid }) => type === "delete" && uid === outcome.uid)
        .map(({ revision }) => ({ from: revision, to: revision }));
    case "absent":
      return holding((change) => change === undefined);
    case "exists":
      return holding((change) => change !== undefined);
    case "conflict":
      return holding((change) => change !== undefined && change.revision !== outcome.expected);
    case "listed":
      return listed(outcome.revision, outcome.revisions, changes, segments);
    case "unknown":
      return [{ from: 0, to: Number.POSITIVE_INFINITY }];
  }
}

/** A write has one place: its own revision, if that is there and followed upon what it had to. */
function written(
  ofKey: readonly Segment[],
  { revision, value }: { readonly revision: number; readonly value: string },
  follows: (before: number | undefined) => boolean,
): readonly Span[] {
  const index = ofKey.findIndex(({ change }) => change?.revision === revision && change.value === value);
  const isThere = index > 0 && follows(ofKey[index - 1]?.change?.revision);
  return isThere ? [{ from: revision, to: revision }] : [];
}

/** A list is the state at its revision, whole, and may stand anywhere before the next change. */
function listed(
  revision: number,
  revisions: ReadonlyMap<string, number>,
  changes: readonly Change[],
  segments: Segments,
): readonly Span[] {
  const state = [...segments].flatMap(([key, ofKey]) => {
    const change = ofKey.find(({ from, to }) => from <= revision && revision <= to)?.change;
    return change === undefined ? [] : [[key, change.revision] as const];
  });
  const isState = state.length === revisions.size && state.every(([key, at]) => revisions.get(key) === at);
  const next = changes.find((change) => change.revision > revision);
  return isState ? [{ from: revision, to: (next?.revision ?? Number.POSITIVE_INFINITY) - 1 }] : [];
}

function segmentsOf(changes: readonly Change[]): Segments {
  return new Map(
    [...Map.groupBy(changes, ({ key }) => key)].map(([key, ofKey]) => {
      const starts = [{ from: 0, change: undefined }, ...ofKey.map((change) => ({ from: change.revision, change }))];
      return [
        key,
        starts.map(({ from, change }, index) => ({
          from,
          to: (starts[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1,
          change: change?.type === "delete" ? undefined : change,
        })),
      ];
    }),
  );
}

function checkWatch({ after, revisions }: Watched, changes: readonly Change[]): readonly string[] {
  const expected = changes.map(({ revision }) => revision).filter((revision) => revision > after);
  const first = Array.from({ length: Math.max(expected.length, revisions.length) }, (_, index) => index).find(
    (index) => expected[index] !== revisions[index],
  );
  if (first === undefined) return [];
  return [`a watch after ${after} saw ${revisions[first] ?? "nothing"} where ${expected[first] ?? "nothing"} was next`];
}
