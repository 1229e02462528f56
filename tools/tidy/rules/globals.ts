/**
 * The world outside is reached through ports: a clock, a random source, a transport, files and a logger are passed in,
 * so that a whole cluster runs on virtual time and replays from a seed. This rule finds the globals and the Node.js
 * modules that go around them.
 */
import { importedNames } from "../imports.ts";
import { findingAt, type Rule, type SourceFile } from "../repository.ts";

/** Something banned, what to use in its place, and which files may have it. */
interface Ban {
  /** Names what was found when `pattern` matches code or `module` an imported specifier. */
  readonly name: string;
  readonly pattern?: RegExp;
  readonly module?: RegExp;
  readonly instead: string;
  readonly allowed: RegExp;
}

/** Implements the ports, or is no part of what users link. */
const OUTSIDE = /^(?:packages\/(?:node\/|testing\/src\/virtual-clock\.ts)|tools\/|bench\/|docs\/)/;
const OUTSIDE_OR_CLI =
  /^(?:packages\/(?:node\/|cli\/|create-kubewright\/|testing\/src\/virtual-clock\.ts)|operators\/|tools\/|bench\/|docs\/)|\/test-(?:real|node)\/|\.test\.ts$/;
const NETWORK =
  /^(?:packages\/(?:node|cli|testing)\/|operators\/|tools\/|bench\/|docs\/)|\/(?:src|test)\/(?:.*[/-])?(?:transport|server)\b|\.test\.ts$/;
const SYSTEM =
  /^(?:packages\/(?:node|cli|testing)\/|operators\/|tools\/|bench\/|docs\/)|\/test-(?:real|node)\/|\.test\.ts$/;

/** A global used by its bare name: no member of something, no key, no type member. */
const global = (names: string): RegExp => new RegExp(`(?<![.\\w$#])(?:${names})\\b(?!\\s*\\??:)`, "g");
/** A global object whose member is used. */
const member = (names: string): RegExp => new RegExp(`(?<![.\\w$#])(?:${names})\\s*\\??[.[]`, "g");

const BANS: readonly Ban[] = [
  {
    name: "the current time",
    pattern: /(?<![.\w$#])(?:Date\s*\.\s*now\b|new\s+Date\s*(?:\(\s*\)|(?![\s(\w]))|Temporal\s*\.\s*Now\b)/g,
    instead: "take a Clock and call clock.now()",
    allowed: OUTSIDE,
  },
  {
    name: "a timer",
    pattern: global("setTimeout|setInterval|setImmediate|clearTimeout|clearInterval|AbortSignal\\s*\\.\\s*timeout"),
    module: /^node:timers(?:\/promises)?$/,
    instead: "take a Clock and call clock.schedule() or sleep(clock, …)",
    allowed: OUTSIDE,
  },
  {
    name: "randomness",
    pattern: /(?<![.\w$#])(?:Math\s*\.\s*random\b|crypto\s*\.\s*(?:randomUUID|getRandomValues)\b)/g,
    instead: "take a Random and call random.next(), random.bytes() or randomUuid(random)",
    allowed: OUTSIDE,
  },
  {
    name: "the performance clock",
    pattern: member("performance"),
    module: /^node:perf_hooks$/,
    instead: "take a Clock and call clock.monotonic()",
    allowed: OUTSIDE_OR_CLI,
  },
  {
    name: "the network",
    pattern: /(?<![.\w$#]|function\s+)fetch\s*\((?![^()]*\)\s*[:{])|(?<![.\w$#])new\s+(?:WebSocket|EventSource)\b/g,
    instead: "take a Transport and call transport.send()",
    allowed: NETWORK,
  },
  {
    name: "the network",
    module: /^node:(?:http|https|http2|net|tls|dgram|dns)(?:\/promises)?$/,
    instead: "take a Transport; only transport and server files open sockets",
    allowed: NETWORK,
  },
  {
    name: "process",
    pattern: member("process"),
    module: /^node:process$/,
    instead: "take what you need (environment, arguments, signal) as an option",
    allowed: OUTSIDE_OR_CLI,
  },
  {
    name: "the console",
    pattern: member("console"),
    module: /^node:console$/,
    instead: "take a Logger",
    allowed: OUTSIDE_OR_CLI,
  },
  {
    name: "globalThis",
    pattern: global("globalThis"),
    instead: "take what you need as an option; nothing here is global to the process",
    allowed: OUTSIDE_OR_CLI,
  },
  {
    name: "the system",
    module: /^node:(?:fs|child_process|os|readline|tty|cluster|inspector|v8|vm|worker_threads)(?:\/promises)?$/,
    instead: "take Files or another port; @kubewright/node implements them",
    allowed: SYSTEM,
  },
];

/** What `node:crypto` offers that is a pure function of its input. */
const HASHING = new Set(["createHash", "createHmac", "hash", "timingSafeEqual"]);

/** The rule about globals and Node.js modules. */
export const globals: Rule = {
  name: "global",
  *check(repository) {
    for (const file of repository.files) {
      for (const ban of BANS.filter((each) => !each.allowed.test(file.path))) yield* banned(file, ban);
      yield* builtins(file);
    }
  },
};

function* banned(file: SourceFile, ban: Ban) {
  const inCode = ban.pattern === undefined ? [] : [...file.code.matchAll(ban.pattern)].map((match) => match.index);
  const inImports = file.references.filter((each) => ban.module?.test(each.specifier)).map((each) => each.offset);
  for (const offset of [...inCode, ...inImports]) {
    const [found = ""] = file.text.slice(offset).match(/^[^\n();]*/) ?? [];
    yield findingAt(file, offset, `uses ${ban.name} (${found.trim()}); ${ban.instead}`);
  }
}

/** Core knows no Node.js, and randomness from node:crypto is the random port's alone. */
function* builtins(file: SourceFile) {
  if (file.isTest || !file.path.startsWith("packages/") || file.path.startsWith("packages/node/")) return;
  for (const { specifier, clause, offset } of file.references) {
    const random =
      specifier === "node:crypto"
        ? importedNames(clause).find((name) => /^(?:random|webcrypto)/.test(name))
        : undefined;
    const isPure = specifier === "node:crypto" && importedNames(clause).every((name) => HASHING.has(name));
    if (random !== undefined) {
      yield findingAt(file, offset, `imports ${random} from node:crypto; take a Random`);
    } else if (file.path.startsWith("packages/core/") && specifier.startsWith("node:") && !isPure) {
      yield findingAt(
        file,
        offset,
        `core must not import ${specifier}: it is pure; add a port, or move the file to packages/node`,
      );
    }
  }
}
