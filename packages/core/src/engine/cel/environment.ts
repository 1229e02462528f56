/**
 * The environment of Kubernetes' CEL at compatibility version 1.35: every function rules may call. An environment for
 * admission adds variables and functions of its own to it.
 */
import { addresses } from "./library/addresses.ts";
import { conversions } from "./library/conversions.ts";
import { lists } from "./library/lists.ts";
import { namedFormats } from "./library/named-formats.ts";
import { operators } from "./library/operators.ts";
import { optionals } from "./library/optionals.ts";
import { quantities } from "./library/quantities.ts";
import { regex } from "./library/regex.ts";
import { semvers } from "./library/semvers.ts";
import { strings } from "./library/strings.ts";
import { times } from "./library/times.ts";
import { urls } from "./library/urls.ts";
import { type FunctionTable, functionTable } from "./overloads.ts";

/** All functions of the standard environment. */
export const standardFunctions: FunctionTable = functionTable([
  ...operators,
  ...conversions,
  ...strings,
  ...lists,
  ...regex,
  ...optionals,
  ...times,
  ...urls,
  ...addresses,
  ...namedFormats,
  ...semvers,
  ...quantities,
]);
