/** `@kubewright/node`: the ports of `@kubewright/core`, implemented on Node.js. */
export { systemClock } from "./clock.ts";
export { systemRandom } from "./random.ts";
