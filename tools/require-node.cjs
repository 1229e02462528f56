// Preloaded by every npm script. The sources are TypeScript that Node.js runs directly, which takes version 24; an older
// Node.js would only say that it does not know the file extension. Plain JavaScript, so that any version can read it.
"use strict";

var major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    [
      "Kubewright needs Node.js 24 or newer; this is " + process.versions.node + " on " + process.platform + "/" + process.arch + ".",
      "On Linux (x64, arm64) `npm ci` brings its own: run `npm ci` without --omit=optional, then the same command through npm.",
      "Elsewhere install Node.js 24 (https://nodejs.org) and run the command again.",
    ].join("\n"),
  );
  process.exit(1);
}
