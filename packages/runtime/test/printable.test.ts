/** S12: what users write into objects is shown to others in events, conditions and logs; it must not command their terminals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Event } from "@kubewright/api/events/v1";
import { type Random, seededRandom } from "@kubewright/core/ports";
import { createConsoleLogger } from "@kubewright/node";
import { defineController, writeStatus } from "@kubewright/runtime";
import { Harness, Widget } from "./harness.ts";

const PIECES = [
  "\u001b[2J",
  "\u009b31m",
  "\u0000",
  "\r",
  "\n",
  "\t",
  "\u007f",
  "\u0085",
  "\u202e",
  "\u2066",
  "\u200f",
  "é",
  "漢字",
  "😀",
  "\ud83d",
  "a b",
];

/** Text of nasty pieces, sometimes longer than every limit. */
function nasty(random: Random): string {
  const length = random.next() < 0.2 ? 20_000 : 1 + Math.floor(random.next() * 30);
  return Array.from({ length }, () => PIECES[Math.floor(random.next() * PIECES.length)]).join("");
}

/** Tells whoever looks what its users wrote, in every way there is. */
const quoting = defineController({
  for: Widget,
  async reconcile(widget, context) {
    const { message } = widget.spec;
    context.events.warning(message, message);
    context.log.error(message, { message, [message]: [message] });
    const conditions = [{ type: "Ready", status: "False", reason: "Quoted", message }] as const;
    await writeStatus(Widget, widget, { conditions }, context);
  },
});

test("S12: events, conditions and log lines that quote 60 nasty texts are printable and within the server's limits", async () => {
  await using harness = await Harness.start();
  const random = seededRandom(12);
  const lines: string[] = [];
  const log = createConsoleLogger({ clock: harness.clock, format: "pretty", write: (line) => lines.push(line) });
  const manager = await harness.manage([quoting], { log });
  for (let count = 0; count < 60; count++) {
    await harness.client.create(Widget, { metadata: { name: `w${count}` }, spec: { message: nasty(random) } });
  }
  await harness.settled(manager);
  await manager.events.flush();
  const events = (await harness.client.list(Event)).items;
  assert.equal(events.length, 60);
  for (const { reason = "", action = "", note = "" } of events) {
    assertPrintable({ text: reason, bytesMax: 128, isLine: true });
    assertPrintable({ text: action, bytesMax: 128, isLine: true });
    assertPrintable({ text: note, bytesMax: 1024 });
  }
  for (const { status } of (await harness.client.list(Widget)).items) {
    assert.equal(status?.conditions?.length, 1);
    assertPrintable({ text: status?.conditions?.[0]?.message ?? "", bytesMax: 32_768 });
  }
  assert.ok(lines.length >= 60);
  for (const line of lines) assert.match(line, /^[^\p{Cc}\p{Bidi_Control}]*\n$/u);
});

interface Shown {
  readonly text: string;
  readonly bytesMax: number;
  readonly isLine?: boolean;
}

function assertPrintable({ text, bytesMax, isLine = false }: Shown): void {
  assert.ok(text.isWellFormed() && text !== "");
  assert.ok(Buffer.byteLength(text) <= bytesMax, `${Buffer.byteLength(text)} bytes`);
  assert.doesNotMatch(isLine ? text : text.replace(/[\t\n]/g, ""), /[\p{Cc}\p{Bidi_Control}]/u);
}
