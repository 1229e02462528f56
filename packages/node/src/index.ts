/** `@kubewright/node`: the ports of `@kubewright/core`, implemented on Node.js. */
export { systemClock } from "./clock.ts";
export { type ConsoleLoggerOptions, createConsoleLogger, type LogLevel } from "./console-logger.ts";
export { type EventLoopLag, type EventLoopMeter, measureEventLoop } from "./event-loop.ts";
export { systemFiles } from "./files.ts";
export { systemRandom } from "./random.ts";
export type { Program } from "./run-program.ts";
export { type SystemProcess, systemProcess } from "./system-process.ts";
