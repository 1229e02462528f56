/**
 * Which proxy a server is reached through, as the environment says: HTTPS_PROXY, unless NO_PROXY names the server. By the rules that Go
 * programs and therefore kubectl go by. A kubeconfig's `proxy-url` goes before it.
 */
import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for a server, or undefined when it is reached directly. */
export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  const proxy = env["HTTPS_PROXY"] || env["https_proxy"] || "";
  if (proxy === "") return undefined;
  const { hostname, port } = new URL(server);
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (isLoopback(host)) return undefined;
  const exceptions = (env["NO_PROXY"] || env["no_proxy"] || "").split(",").map((entry) => entry.trim().toLowerCase());
  if (exceptions.some((entry) => entry !== "" && covers(entry, host, port === "" ? "443" : port))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** "*", "10.0.0.0/8", "10.1.2.3", "example.com" with its subdomains, ".example.com" for those alone, each with or without a port. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInNetwork(entry, host);
  if (isIP(entry) !== 0) return entry === host;
  const [, name = "", entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const plain = name.replace(/^\*\./, ".").replace(/^\[|\]$/g, "");
  return plain.startsWith(".") ? host.endsWith(plain) : host === plain || host.endsWith(`.${plain}`);
}

function isInNetwork(entry: string, host: string): boolean {
  const [network = "", bits = ""] = entry.split("/");
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const kind = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(network, Number(bits), kind);
  return list.check(host, kind);
}
