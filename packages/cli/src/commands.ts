/** All commands, in the order that help shows them. */
import type { CommandSpec } from "./command/command-spec.ts";
import { buildInstaller } from "./commands/build-installer.ts";
import { clusterDown } from "./commands/cluster-down.ts";
import { clusterStatus } from "./commands/cluster-status.ts";
import { clusterUp } from "./commands/cluster-up.ts";
import { createCompletion } from "./commands/completion.ts";
import { createApi } from "./commands/create-api.ts";
import { deleteApi } from "./commands/delete-api.ts";
import { deploy } from "./commands/deploy.ts";
import { dev } from "./commands/dev.ts";
import { doctor } from "./commands/doctor.ts";
import { edit } from "./commands/edit.ts";
import { generateTypes } from "./commands/generate-types.ts";
import { imageBuild } from "./commands/image-build.ts";
import { imageBundle } from "./commands/image-bundle.ts";
import { imagePush } from "./commands/image-push.ts";
import { imageSave } from "./commands/image-save.ts";
import { init } from "./commands/init.ts";
import { install } from "./commands/install.ts";
import { manifests } from "./commands/manifests.ts";
import { plan } from "./commands/plan.ts";
import { run } from "./commands/run.ts";
import { undeploy } from "./commands/undeploy.ts";
import { uninstall } from "./commands/uninstall.ts";
import { version } from "./commands/version.ts";
import { why } from "./commands/why.ts";

const DOING: readonly CommandSpec[] = [
  init,
  createApi,
  deleteApi,
  edit,
  dev,
  manifests,
  buildInstaller,
  install,
  uninstall,
  run,
  deploy,
  undeploy,
  plan,
  why,
  imageBuild,
  imagePush,
  imageSave,
  imageBundle,
  generateTypes,
  clusterUp,
  clusterStatus,
  clusterDown,
  doctor,
  version,
];

/** All commands. */
export const COMMANDS: readonly CommandSpec[] = [...DOING, createCompletion(DOING)];
