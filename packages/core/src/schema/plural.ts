/** English plurals of kinds, for resource names. What a rule gets wrong is given as `plural` in the definition. */

/** The plural of a lower-case singular: "policy" → "policies", "ingress" → "ingresses", "deploy" → "deploys". */
export function pluralOf(singular: string): string {
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return `${singular}s`;
}
