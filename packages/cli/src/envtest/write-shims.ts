/**
 * The folder that KUBEBUILDER_ASSETS names: `etcd`, `kube-apiserver` and `kubectl` as small launchers of this program.
 * They carry absolute paths, so the folder may lie anywhere; it is written again after this package or Node.js moved.
 */
import { join } from "node:path";
import type { Files } from "@kubewright/core/ports";

/** What the launchers start. */
export interface ShimTarget {
  /** The node that runs the program. */
  readonly node: string;
  /** The file of the program. */
  readonly program: string;
}

/** Writes the three launchers. */
export async function writeShims(folder: string, target: ShimTarget, files: Files): Promise<void> {
  const mode = 0o755;
  await files.write(join(folder, "etcd"), serverShim("etcd", target), { mode });
  await files.write(join(folder, "kube-apiserver"), serverShim("kube-apiserver", target), { mode });
  await files.write(join(folder, "kubectl"), KUBECTL_SHIM, { mode });
}

/** envtest asks for the help first, to learn of flags that must be set; there are none, and the answer is immediate. */
function serverShim(name: string, { node, program }: ShimTarget): string {
  return `#!/bin/sh
if [ "$1" = "--help" ]; then
  echo "${name}: kubewright's stand-in, for envtest"
  exit 0
fi
exec ${quote(node)} ${quote(program)} ${name} "$@"
`;
}

/** Looks for a kubectl elsewhere: it is a client, and any will do. */
const KUBECTL_SHIM = `#!/bin/sh
own=$(CDPATH= cd -- "\${0%/*}" && pwd -P)
IFS=:
for folder in $PATH; do
  unset IFS
  if [ -x "$folder/kubectl" ] && [ "$(CDPATH= cd -- "$folder" && pwd -P)" != "$own" ]; then
    exec "$folder/kubectl" "$@"
  fi
done
echo "kubectl: none found on PATH; install one, or name it in TEST_ASSET_KUBECTL" >&2
exit 127
`;

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
