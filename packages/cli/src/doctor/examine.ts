/** The checks of `kubewright doctor`. Each answers with what it found; none of them changes anything or throws. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { Deployment } from "@kubewright/api/apps/v1";
import type { Client } from "@kubewright/runtime";
import { applyObjects } from "../cluster/apply-objects.ts";
import { withCluster } from "../cluster/connect.ts";
import type { CommandContext } from "../command/command-context.ts";
import { isCommandError } from "../command/command-error.ts";
import type { CommandInput } from "../command/command-spec.ts";
import { installationNames } from "../manifests/installation-names.ts";
import { crdsOf } from "../manifests/manifest-tree.ts";
import { planManifests } from "../manifests/plan-manifests.ts";
import { type LoadedProject, loadProject } from "../project/load-project.ts";
import { VERSION } from "../version.ts";

const NODE_MAJOR_MIN = 24;

/** What one check found. */
export interface Finding {
  readonly state: "fine" | "problem" | "unknown";
  readonly what: string;
  readonly remedy?: string;
}

/** All findings: of the machine, the project and the cluster. */
export async function examine(input: CommandInput, context: CommandContext): Promise<readonly Finding[]> {
  const findings: Finding[] = [nodeFinding(process.versions.node)];
  const loaded = await attempt(() => loadProject(context.folder));
  if ("finding" in loaded) return [...findings, loaded.finding];
  const { config, project } = loaded.value;
  findings.push(fine(`the project ${config.name} loads: ${project.operator.controllers.length} controllers`));
  findings.push(...(await versionFindings(context.folder)), await manifestFinding(loaded.value));
  const cluster = await attempt(() =>
    withCluster(input, context, ({ client, server }) => clusterFindings(loaded.value, { client, server, context })),
  );
  return [...findings, ...("finding" in cluster ? [{ ...cluster.finding, state: "unknown" as const }] : cluster.value)];
}

function nodeFinding(version: string): Finding {
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return fine(`Node.js ${version}`);
  return problem(`Node.js ${version} is too old`, `install Node.js ${NODE_MAJOR_MIN} or newer`);
}

/** All packages have one version; two of them in one project would not know each other's objects. */
async function versionFindings(folder: string): Promise<readonly Finding[]> {
  const names = ["kubewright", "@kubewright/runtime", "@kubewright/testing", "@kubewright/cli"];
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, "node_modules", name, "package.json"), "utf8").catch(() => undefined);
      return { name, version: text === undefined ? undefined : String(JSON.parse(text).version) };
    }),
  );
  const missing = found.filter(({ version }) => version === undefined).map(({ name }) => name);
  if (missing.length > 0) return [problem(`${missing.join(", ")} not installed`, "npm install")];
  const other = found.find(({ version }) => version !== VERSION);
  if (other === undefined) return [fine(`all packages have version ${VERSION}`)];
  const remedy = "give all Kubewright packages in package.json the same version, then: npm install";
  return [problem(`${other.name} has version ${other.version}, this command ${VERSION}`, remedy)];
}

async function manifestFinding({ config, project }: LoadedProject): Promise<Finding> {
  const planned = await attempt(() => planManifests(config, project));
  if ("finding" in planned) return planned.finding;
  if (planned.value.length === 0) return fine("config/ is up to date");
  return problem(`config/ is not up to date: ${planned.value.length} files differ`, "kubewright manifests");
}

interface ClusterPorts {
  readonly client: Client;
  readonly server: string;
  readonly context: CommandContext;
}

async function clusterFindings(
  { config, project }: LoadedProject,
  { client, server, context }: ClusterPorts,
): Promise<readonly Finding[]> {
  const answer = (await client.request({ path: "/version" })) as { readonly gitVersion?: string };
  const findings = [fine(`the cluster at ${server} answers: Kubernetes ${answer.gitVersion}`)];
  for (const [crd, { kind, plural, group }] of crdsOf(project.resources)) {
    const installed = await client.find(CustomResourceDefinition, `${plural}.${group}`);
    if (installed === undefined) {
      findings.push(problem(`${kind} is not installed`, "kubewright install"));
      continue;
    }
    const options = { client, dryRun: true, signal: context.signal, onApplied: () => {} };
    const [applied] = await applyObjects([crd], options);
    if (applied?.result === "unchanged") findings.push(fine(`${kind} is installed as the code says`));
    else findings.push(problem(`${kind} is installed, but not as the code says`, "kubewright install"));
  }
  const { manager: name, namespace } = installationNames(config);
  const deployment = await client.find(Deployment, { name, namespace });
  if (deployment === undefined) return [...findings, unknown("the operator is not deployed in the cluster")];
  const { availableReplicas = 0 } = deployment.status ?? {};
  if (availableReplicas > 0) return [...findings, fine(`the operator is deployed: ${availableReplicas} replicas`)];
  const remedy = `kubectl -n ${namespace} describe deployment ${name}`;
  return [...findings, problem("the operator is deployed, but not available", remedy)];
}

/** The value, or what went wrong as a finding. */
async function attempt<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly finding: Finding }> {
  try {
    return { value: await work() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { finding: problem(message, isCommandError(error) ? error.remedy : undefined) };
  }
}

function fine(what: string): Finding {
  return { state: "fine", what };
}

function unknown(what: string): Finding {
  return { state: "unknown", what };
}

function problem(what: string, remedy: string | undefined): Finding {
  return { state: "problem", what, ...(remedy === undefined ? {} : { remedy }) };
}
