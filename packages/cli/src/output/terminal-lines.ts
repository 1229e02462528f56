/**
 * Lines on a terminal with one line below them that is written over: what `dev` shows while its log runs. Everything that goes
 * to the terminal goes through one of these, so that no line lands in the middle of another.
 */

/** Erases the line that the cursor is in, and goes to its beginning. */
const ERASE = "\r\u001b[2K";

/** Lines above, one line below. */
export interface TerminalLines {
  /** Writes a line, above the status. */
  print(line: string): void;
  /** Shows another status; "" for none. */
  status(text: string): void;
}

/** Lines on a terminal of `columns()` characters; a longer status is cut, so that it stays one line. */
export function createTerminalLines(write: (text: string) => void, columns: () => number): TerminalLines {
  let shown = "";
  return {
    print: (line) => write(shown === "" ? `${line}\n` : `${ERASE}${line}\n${shown}`),
    status(text) {
      const next = text.slice(0, Math.max(0, columns() - 1));
      if (next === shown) return;
      write(shown === "" ? next : `${ERASE}${next}`);
      shown = next;
    },
  };
}
