/** Loaded before each suite by tools/test-real.ts (`--import`): the suite's process has the variables of a lane of its own. */
import { isMainThread } from "node:worker_threads";
import { takeLane } from "./lanes.ts";

const folder = process.env["KUBEWRIGHT_LANES"];
// The test runner loads this too; only the processes that it starts are suites.
if (folder !== undefined && process.env["NODE_TEST_CONTEXT"] !== undefined && isMainThread) {
  const lane = takeLane(folder);
  if (lane === undefined) throw new Error(`more suites run at once than there are lanes in ${folder}`);
  Object.assign(process.env, lane.variables);
  process.once("exit", () => lane.giveBack());
}
