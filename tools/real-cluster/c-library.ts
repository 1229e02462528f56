/**
 * A C library that a Go program is linked with: the one installed on this machine, or else the headers and the archive of
 * Debian's package, unpacked beside the programs. Nothing is installed. Used by build.ts for runc.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** A library by the names it goes by. */
export interface CLibrary {
  /** What pkg-config calls it. */
  readonly name: string;
  /** The package of Debian and Ubuntu with its headers and archive. */
  readonly debianPackage: string;
}

/** The environment in which Go finds the library; throws with what to install. */
export function libraryEnvironment(library: CLibrary, folder: string): Readonly<Record<string, string>> {
  if (spawnSync("pkg-config", ["--exists", library.name]).status === 0) return { CGO_ENABLED: "1" };
  const place = join(folder, library.debianPackage);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const isUnpacked = runs("apt-get", ["download", library.debianPackage], place) && unpack(place);
  const [settings] = globSync(join(place, `usr/lib/**/${library.name}.pc`));
  if (!isUnpacked || settings === undefined) {
    throw new Error(`${library.name} is not installed; install its headers (${library.debianPackage}) and pkg-config`);
  }
  return {
    CGO_ENABLED: "1",
    CGO_CFLAGS: `-I${join(place, "usr/include")}`,
    CGO_LDFLAGS: `-L${dirname(dirname(settings))}`,
    PKG_CONFIG_PATH: dirname(settings),
  };
}

function unpack(place: string): boolean {
  return globSync("*.deb", { cwd: place }).some((archive) => runs("dpkg-deb", ["--extract", archive, "."], place));
}

function runs(command: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd }).status === 0;
}
