/** Transcripts of a shell in a document: its `console` blocks, in which lines after "$ " are typed and the others printed. */

const FENCE = /^```console\n([\s\S]*?)^```$/gm;

/** A command and what it printed. */
export interface Exchange {
  readonly command: string;
  readonly output: string;
}

/** All commands of a document, in order, each with its output. */
export function exchangesOf(markdown: string): readonly Exchange[] {
  const blocks = [...markdown.matchAll(FENCE)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = "", ...lines] = text.split("\n");
        return { command, output: trimmed(lines.join("\n")) };
      }),
  );
}

/** A text without the blanks with which tables fill their last column. */
export function trimmed(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trimEnd();
}
