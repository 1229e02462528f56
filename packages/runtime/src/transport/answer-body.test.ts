import assert from "node:assert/strict";
import { test } from "node:test";
import { drainBody } from "@kubewright/core/ports";
import { AnswerBody } from "./answer-body.ts";

/** A body, and what its sender was asked for. */
function body(): { readonly body: AnswerBody; readonly asked: string[] } {
  const asked: string[] = [];
  const note = (what: string) => (): void => void asked.push(what);
  return { body: new AnswerBody({ pause: note("pause"), resume: note("resume"), abandon: note("abandon") }), asked };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (piece: Uint8Array): string => new TextDecoder().decode(piece);

test("a body that is drained hands on what came before, and each piece in the moment it comes", async () => {
  const { body: answer } = body();
  const taken: string[] = [];
  answer.push(bytes("before"));
  const drained = drainBody(answer, (piece) => taken.push(text(piece)));
  answer.push(bytes("after"));
  assert.deepEqual(taken, ["before", "after"]);
  answer.end();
  await drained;
});

test("what is kept for a reader does not change with the buffer it came in", async () => {
  const { body: answer } = body();
  const buffer = bytes("first");
  answer.push(buffer);
  buffer.fill(0);
  assert.equal(text((await answer.next()).value), "first");
});

test("a body that breaks, or broke before, fails whoever drains it", async () => {
  const { body: answer } = body();
  const drained = answer.drain(() => {});
  answer.fail(new Error("broken"));
  await assert.rejects(drained, /broken/);
  await assert.rejects(
    answer.drain(() => {}),
    /broken/,
  );
});

test("whoever is handed a piece and throws ends the body: at once for what came before, by the connection for what comes", async () => {
  const refuse = (): never => {
    throw new Error("not that");
  };
  const { body: early, asked } = body();
  early.push(bytes("x"));
  await assert.rejects(early.drain(refuse), /not that/);
  assert.deepEqual(asked, ["abandon"]);
  const { body: late } = body();
  const drained = late.drain(refuse);
  assert.throws(() => late.push(bytes("x")), /not that/);
  late.fail(new Error("not that"));
  await assert.rejects(drained, /not that/);
});

test("a sender that was asked to wait goes on when somebody drains", () => {
  const { body: answer, asked } = body();
  for (let count = 0; count < 3; count++) answer.push(new Uint8Array(512 * 1024));
  let taken = 0;
  void answer.drain((piece) => {
    taken += piece.byteLength;
  });
  assert.deepEqual([asked, taken], [["pause", "resume"], 3 * 512 * 1024]);
});
