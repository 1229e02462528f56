/**
 * Finds the programs of a real Kubernetes on this machine: where envtest's users have them, or where tools/real-cluster of
 * this repository builds them. Nothing is downloaded.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What each level starts; `controllers` also starts what `control-plane` does. */
const PROGRAMS = {
  "control-plane": ["etcd", "kube-apiserver"],
  controllers: ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"],
} as const;

/** How much of Kubernetes runs: what envtest runs, or also its controllers, its scheduler and simulated nodes. */
export type RealLevel = keyof typeof PROGRAMS;

/** Whether a word names a level. */
export function isRealLevel(word: string): word is RealLevel {
  return Object.hasOwn(PROGRAMS, word);
}

/** Where envtest looks when nothing is set. */
const ENVTEST_FOLDER = "/usr/local/kubebuilder/bin";

/** The folder with all programs of `level`; throws with the remedy when there is none. */
export function findPrograms(level: RealLevel, env: Readonly<Record<string, string | undefined>>): string {
  const cache = env["KUBEWRIGHT_CACHE"] ?? join(env["HOME"] ?? "", ".cache", "kubewright");
  const given = env["KUBEBUILDER_ASSETS"];
  const folders = [...(given === undefined ? [] : [given]), join(cache, "programs"), ENVTEST_FOLDER];
  const found = folders.find((folder) => PROGRAMS[level].every((name) => existsSync(join(folder, name))));
  if (found !== undefined) return found;
  throw new Error(
    `a real Kubernetes of level "${level}" needs ${PROGRAMS[level].join(", ")}, and none of ${folders.join(", ")} has them all; ` +
      "set KUBEBUILDER_ASSETS to a folder with them: `setup-envtest use -p path` prints one for the level " +
      '"control-plane" (option `level`, or KUBEWRIGHT_TEST_LEVEL); `npm run test:real` in the repository of Kubewright builds all of them',
  );
}
