/** The system's randomness, unpredictable. */
import { randomBytes } from "node:crypto";
import type { Random } from "@kubewright/core/ports";

/** The system's random source. */
export const systemRandom: Random = { next: () => Math.random(), bytes: (length) => randomBytes(length) };
