/** Tar archives, written so that the same files give the same bytes: sorted, without times, owners or machine's traces. */

/** One file or folder of an archive. */
export interface TarEntry {
  /** Without a leading "/"; folders end with "/". */
  readonly path: string;
  /** Empty for folders. */
  readonly content: Uint8Array;
  /** @default 0o644, for folders 0o755 */
  readonly mode?: number;
}

const BLOCK = 512;
const NAME_MAX = 100;

/** The archive of these entries, in the order of their paths. */
export function createTar(entries: readonly TarEntry[]): Uint8Array {
  const sorted = entries.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const parts = sorted.flatMap((entry) => entryBlocks(entry));
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

function entryBlocks(entry: TarEntry): readonly Uint8Array[] {
  const isFolder = entry.path.endsWith("/");
  const mode = entry.mode ?? (isFolder ? 0o755 : 0o644);
  const name = Buffer.from(entry.path);
  const long = name.length > NAME_MAX ? longName(entry.path) : [];
  const short = name.subarray(0, NAME_MAX);
  const head = header({ name: short, mode, size: entry.content.length, type: isFolder ? "5" : "0" });
  return [...long, head, ...padded(entry.content)];
}

/** A PAX header with the whole path, for names that do not fit. */
function longName(path: string): readonly Uint8Array[] {
  const record = paxRecord("path", path);
  const head = header({ name: Buffer.from("PaxHeader"), mode: 0o644, size: record.length, type: "x" });
  return [head, ...padded(record)];
}

/** "<length> path=<value>\n", where the length counts itself. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

interface Header {
  readonly name: Uint8Array;
  readonly mode: number;
  readonly size: number;
  readonly type: "0" | "5" | "x";
}

function header({ name, mode, size, type }: Header): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  block.set(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\u0000 `, 148);
  return block;
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width, "0")}\u0000`;
}

function padded(content: Uint8Array): readonly Uint8Array[] {
  const rest = content.length % BLOCK;
  return rest === 0 ? [content] : [content, new Uint8Array(BLOCK - rest)];
}
