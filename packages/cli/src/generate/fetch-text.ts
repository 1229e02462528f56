/** Text from an address: https only, wherever redirects lead, bounded in size and number of redirects. */
import { CommandError } from "../command/command-error.ts";

const BYTES_MAX = 20 * 1024 * 1024;
const REDIRECTS_MAX = 5;

/** The text at an address. */
export async function fetchText(address: string, signal: AbortSignal): Promise<string> {
  let url = httpsOnly(address);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const response = await fetch(url, { redirect: "manual", signal }).catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error;
      throw new CommandError(`${address} cannot be read: ${message}`, {
        remedy: "look at the address and whether it can be reached from here, or name a file",
        cause: error,
      });
    });
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      url = httpsOnly(new URL(location, url).href);
      continue;
    }
    if (!response.ok) throw new CommandError(`${address} cannot be read: it answers ${response.status}`);
    return readBounded(response, address);
  }
  throw new CommandError(`${address} leads on more than ${REDIRECTS_MAX} times`);
}

function httpsOnly(address: string): URL {
  const url = new URL(address);
  if (url.protocol === "https:") return url;
  throw new CommandError(`${address} is not read: only https:// addresses are`);
}

async function readBounded(response: Response, address: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new CommandError(`${address} has more than ${BYTES_MAX / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
