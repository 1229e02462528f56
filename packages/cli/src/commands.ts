/** All commands, in the order that help shows them. */
import type { CommandSpec } from "./command/command-spec.ts";
import { buildInstaller } from "./commands/build-installer.ts";
import { createCompletion } from "./commands/completion.ts";
import { createApi } from "./commands/create-api.ts";
import { deleteApi } from "./commands/delete-api.ts";
import { edit } from "./commands/edit.ts";
import { init } from "./commands/init.ts";
import { manifests } from "./commands/manifests.ts";
import { version } from "./commands/version.ts";

const DOING: readonly CommandSpec[] = [init, createApi, deleteApi, edit, manifests, buildInstaller, version];

/** All commands. */
export const COMMANDS: readonly CommandSpec[] = [...DOING, createCompletion(DOING)];
