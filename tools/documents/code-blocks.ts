/** The TypeScript examples of a Markdown document, each with the output that the document claims for it. */

/** One example. */
export interface CodeBlock {
  /** The line its code starts on, counted from 1. */
  readonly line: number;
  readonly code: string;
  /** The next `text` block before another example, which is what running the code prints. */
  readonly output?: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** Every `ts` block of a document, in order. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const fences = [...markdown.matchAll(FENCE)];
  return fences.flatMap(({ 1: language, 2: code = "", index: offset }, index) => {
    if (language !== "ts") return [];
    const line = markdown.slice(0, offset).split("\n").length + 1;
    const [, nextLanguage, output = ""] = fences[index + 1] ?? [];
    return [{ line, code, ...(nextLanguage === "text" && { output }) }];
  });
}
