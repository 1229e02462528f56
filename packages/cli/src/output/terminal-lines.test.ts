import assert from "node:assert/strict";
import { test } from "node:test";
import { createTerminalLines } from "./terminal-lines.ts";

const ERASE = "\r\u001b[2K";

/** What a terminal shows after some writes: lines, of which the last is where the cursor is. */
function screen(writes: readonly string[]): (string | undefined)[] {
  const lines = writes.join("").split("\n");
  return lines.map((line) => line.split(ERASE).at(-1));
}

test("lines go above the status, which stays the last one", () => {
  const writes: string[] = [];
  const lines = createTerminalLines(
    (text) => writes.push(text),
    () => 80,
  );
  lines.print("first");
  lines.status("● starting");
  lines.print("second");
  lines.status("● running");
  lines.print("third");
  assert.deepEqual(screen(writes), ["first", "second", "third", "● running"]);
  lines.status("");
  assert.deepEqual(screen(writes), ["first", "second", "third", ""]);
});

test("a status that is too long for the terminal is cut, and the same one is not written again", () => {
  const writes: string[] = [];
  const lines = createTerminalLines(
    (text) => writes.push(text),
    () => 10,
  );
  lines.status("0123456789abcdef");
  lines.status("0123456789xyz");
  assert.deepEqual(writes, ["012345678"]);
});
