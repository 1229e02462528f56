/** Tables as kubectl prints them: columns padded to their widest cell, three spaces apart. */

const GAP = 3;

/** The lines of a table. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === header.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + GAP)))
      .join("")
      .trimEnd();
  return [header, ...rows].map(line).join("\n");
}
