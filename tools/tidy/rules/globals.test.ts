import { testRule } from "../test-rule.ts";
import { globals } from "./globals.ts";

testRule({
  rule: globals,
  broken: [
    [
      "time",
      { "packages/runtime/src/a.ts": "const a = Date.now();\nconst b = new Date();" },
      /a\.ts:1: uses the current time.*clock\.now/,
      /a\.ts:2: uses/,
    ],
    [
      "timers",
      { "packages/runtime/src/a.ts": "setTimeout(f, 1);\nAbortSignal.timeout(5);" },
      /a\.ts:1: uses a timer/,
      /a\.ts:2: uses a timer/,
    ],
    [
      "timers of node:timers in a test",
      { "packages/runtime/src/a.test.ts": 'import { setTimeout } from "node:timers/promises";' },
      /uses a timer/,
      /uses a timer/,
    ],
    [
      "randomness",
      { "packages/core/src/meta/a.ts": "f(Math.random(), crypto.randomUUID());" },
      /randomness.*Math\.random/,
      /randomness.*randomUUID/,
    ],
    [
      "randomness of node:crypto",
      { "packages/runtime/src/a.ts": 'import { randomBytes } from "node:crypto";' },
      /take a Random/,
    ],
    ["the network", { "packages/runtime/src/a.ts": "await fetch(url);" }, /take a Transport/],
    [
      "sockets outside a transport",
      { "packages/runtime/src/client/a.ts": 'import http2 from "node:http2";' },
      /only transport and server files/,
    ],
    [
      "process and console",
      { "packages/runtime/src/a.ts": "console.log(process.env);" },
      /uses process/,
      /uses the console/,
    ],
    ["the file system", { "packages/runtime/src/a.ts": 'import { readFile } from "node:fs/promises";' }, /take Files/],
    ["performance", { "packages/apiserver/src/a.ts": "performance.now();" }, /clock\.monotonic/],
    ["globalThis", { "packages/runtime/src/a.ts": "globalThis.x;" }, /nothing here is global/],
    [
      "Node.js in core",
      { [`packages/core/src/meta/a.ts`]: 'import { format } from "node:util";' },
      /core must not import node:util/,
    ],
    ["time in an operator", { "operators/m/src/a.ts": "const a = Date.now();" }, /current time/],
  ],
  kept: [
    [
      "the ports' implementations and programs",
      {
        "packages/node/src/clock.ts": "Date.now(); setTimeout(f, 1);",
        "packages/cli/src/a.ts": "console.log(process.argv);",
        "tools/a.ts": "performance.now(); console.log(new Date());",
        "packages/runtime/src/client/http-transport.ts": 'import http2 from "node:http2";',
        "packages/apiserver/src/server/listen.ts": 'import { createServer } from "node:http2";',
      },
    ],
    [
      "other things of the same name",
      {
        [`packages/core/src/meta/a.ts`]:
          'import { createHash } from "node:crypto";\nnew Date(ms); Date.parse(text); clock.setTimeout(f); interface A { process: string; fetch(key: string): void }\n// Date.now()\nconst text = "process.env";',
      },
    ],
  ],
});
