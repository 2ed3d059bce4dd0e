// `callsign <command> …` whose replicas apply nothing as long as a file exists. SVs listen meanwhile.
//     node held-replicas.ts <file> sv -f values.yaml

import { existsSync } from "node:fs";
import { sleep, systemHost } from "@callsign/node";
import { Replica } from "@callsign/synchronizer";

const LOOK_MILLISECONDS = 5;

const [file = ""] = process.argv.splice(2, 1);
const { run } = Replica.prototype;

Replica.prototype.run = async function runOnceReleased(signal) {
  while (existsSync(file) && !signal.aborted) await sleep(LOOK_MILLISECONDS, { ...systemHost, signal });
  await run.call(this, signal);
};

await import("../../packages/cli/src/main.ts");
