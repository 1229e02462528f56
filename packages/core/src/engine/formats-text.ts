/** The formats uri and email, which Kubernetes leaves to Go's url.ParseRequestURI and mail.ParseAddress. */

/** True for an absolute URI or an absolute path, as url.ParseRequestURI takes them. */
export function isRequestUri(text: string): boolean {
  if (text === "" || /\p{Cc}/u.test(text)) return false;
  if (text === "*") return true;
  if (text.startsWith("/")) return isPathValid(text);
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  if (scheme === null) return false;
  const rest = text.slice(scheme[0].length);
  if (!rest.startsWith("//")) return rest.startsWith("/") ? isPathValid(rest) : true;
  const end = /[/?]/.exec(rest.slice(2));
  const authority = end === null ? rest.slice(2) : rest.slice(2, 2 + end.index);
  return isAuthorityValid(authority) && (end === null || isPathValid(rest.slice(2 + end.index)));
}

function isPathValid(path: string): boolean {
  const [beforeQuery = ""] = path.split("?");
  return !/%(?![0-9a-fA-F]{2})/.test(beforeQuery);
}

function isAuthorityValid(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  const user = at < 0 ? "" : authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || /%(?![0-9a-fA-F]{2})/.test(user)) return false;
  const host = authority.slice(at + 1);
  if (host.startsWith("[")) return /^\[[^\]]*\](:[0-9]*)?$/.test(host);
  if (/[\s"<>\\^`{|}]/.test(host) || /%(?![0-9a-fA-F]{2})/.test(host)) return false;
  const colon = host.indexOf(":");
  return colon < 0 || /^[0-9]*$/.test(host.slice(colon + 1));
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\uffff-]+";
const quotedText = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const address = `(?:${atom}(?:\\.${atom})*|${quotedText})@(?:${atom}(?:\\.${atom})*|\\[[^\\[\\]\\\\]*\\])`;
const plainAddress = new RegExp(`^${address}$`);
const namedAddress = new RegExp(
  `^(?:(?:${quotedText}|[A-Za-z0-9!#$%&'*+/=?^_\`{|}~\\u0080-\\uffff. -]+)\\s*)?<${address}>$`,
);

/** How long a mail address may be here; RFC 5321 ends at 254, a display name may come before. */
const emailLengthMax = 1000;

/** True for one mail address, with or without a display name, as mail.ParseAddress takes it. */
export function isEmail(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= emailLengthMax && (plainAddress.test(trimmed) || namedAddress.test(trimmed));
}
