#!/usr/bin/env node
/** The installed command: `npx callsign <command> …`. It looks at Node's version before it loads anything else. */
import { describeWrongNode } from "./node-version.js";

const problem = describeWrongNode(process.versions.node);
if (problem === null) {
  await import("./main.ts");
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
