/** Credentials for registries, from docker's config.json: plain entries, and credential helpers by their names. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";

interface DockerConfig {
  readonly auths?: Readonly<
    Record<string, { readonly auth?: string; readonly username?: string; readonly password?: string }>
  >;
  readonly credHelpers?: Readonly<Record<string, string>>;
  readonly credsStore?: string;
}

/** "user:password" in base64 for a registry; undefined when there is none. */
export async function findCredentials(registry: string, context: CommandContext): Promise<string | undefined> {
  const config = await readConfig(context);
  const keys =
    registry === "docker.io" ? ["https://index.docker.io/v1/", "docker.io"] : [registry, `https://${registry}`];
  for (const key of keys) {
    const entry = Object.hasOwn(config.auths ?? {}, key) ? config.auths?.[key] : undefined;
    if (entry?.auth !== undefined && entry.auth !== "") return entry.auth;
    if (entry?.username !== undefined) return base64(`${entry.username}:${entry.password ?? ""}`);
  }
  const helpers = config.credHelpers ?? {};
  const helper = (Object.hasOwn(helpers, registry) ? helpers[registry] : undefined) ?? config.credsStore;
  return helper === undefined ? undefined : askHelper(helper, keys[0] ?? registry);
}

async function readConfig({ env, files }: CommandContext): Promise<DockerConfig> {
  const folder = env["DOCKER_CONFIG"] ?? join(env["HOME"] ?? "", ".docker");
  const path = join(folder, "config.json");
  const bytes = await files.read(path);
  if (bytes === undefined) return {};
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as DockerConfig;
  } catch {
    throw new CommandError(`${path} is no JSON`, { remedy: "repair it, or log in again with docker login" });
  }
}

/** Helpers are programs named docker-credential-<name>; they read the server from their input. */
function askHelper(helper: string, server: string): Promise<string | undefined> {
  if (!/^[\w.-]+$/.test(helper)) throw new CommandError(`${JSON.stringify(helper)} is no name of a credential helper`);
  return new Promise((resolve) => {
    const child = execFile(`docker-credential-${helper}`, ["get"], { timeout: 30_000 }, (error, stdout) => {
      if (error !== null) return resolve(undefined); // It knows nothing about this server, or is not installed.
      const { Username, Secret } = JSON.parse(stdout) as { readonly Username?: string; readonly Secret?: string };
      resolve(Username === undefined ? undefined : base64(`${Username}:${Secret ?? ""}`));
    });
    child.stdin?.on("error", () => {}); // It ended without reading: told by its exit.
    child.stdin?.end(server);
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
