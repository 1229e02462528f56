/** The strategies of the built-in kinds, by qualified resource name. A kind without a line here has no peculiarities. */
import type { Strategies } from "../registry/builtin-resources.ts";

/** All built-in strategies. */
export const builtinStrategies: Strategies = new Map();
