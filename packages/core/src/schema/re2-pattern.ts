/**
 * JavaScript patterns for RE2, the only dialect of API servers. RE2 runs in linear time because it has no lookaround and
 * no backreferences; both are refused here. Escapes that only JavaScript knows are rewritten.
 */

const REMEDY = "API servers use RE2; write the rule without it or use cel()";

/** Why a JavaScript pattern cannot be an RE2 pattern, or nothing. */
export function patternProblem(pattern: string): string | undefined {
  const text = withoutEscapedBackslashes(pattern);
  if (/\(\?(=|!|<=|<!)/.test(text)) return `pattern ${pattern} uses lookaround: ${REMEDY}`;
  if (/\\[1-9]|\\k</.test(text)) return `pattern ${pattern} uses a backreference: ${REMEDY}`;
  if (text.includes("[^]")) return `pattern ${pattern} uses [^]; write [\\s\\S]`;
  if (/\\c[A-Za-z]/.test(text)) return `pattern ${pattern} uses a control escape: ${REMEDY}`;
  const property = /\\p\{([^}]*)\}/i.exec(text)?.[1];
  if (property !== undefined && !isRe2Class(property)) return `pattern ${pattern} uses \\p{${property}}: ${REMEDY}`;
  const repeat = [...text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, from, to]) => [Number(from), Number(to ?? 0)]);
  if (repeat.some((count) => count > 1000)) return `pattern ${pattern} repeats more than 1000 times: ${REMEDY}`;
  return undefined;
}

/** RE2 knows general categories (`L`, `Lu`) and scripts (`Greek`), not the other Unicode properties. */
function isRe2Class(property: string): boolean {
  return (
    /^\^?[A-Z][a-z]?$/.test(property) ||
    (/^\^?[A-Z][a-z]+$/.test(property) && property !== "Alphabetic" && property !== "Emoji")
  );
}

/** The same pattern in RE2's spelling: `\u00e9` is `\x{00e9}` there. */
export function toRe2Pattern(pattern: string): string {
  return pattern.replace(/(\\\\)|\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})/g, (text, escaped, braced, plain) =>
    escaped === undefined ? `\\x{${braced ?? plain}}` : text,
  );
}

function withoutEscapedBackslashes(pattern: string): string {
  return pattern.replaceAll("\\\\", "");
}
