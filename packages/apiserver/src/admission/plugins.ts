/** The admission plugins that are on by default, in the order in which they run. */
import type { AdmissionPlugin } from "./admission.ts";

/** The default chain. */
export const defaultAdmission: readonly AdmissionPlugin[] = [];
