/** `callsign up`: starts the local network in a process of its own, and waits until it answers. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { onAbort, sleep } from "@callsign/node";
import { dataFolderOf, type RunningNetwork, readRunningRecord } from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { describeRunning } from "./describe-running.ts";
import { MEMORY_SETTINGS, NODE_OPTIONS } from "./process-memory.js";

const LOOK_MILLISECONDS = 50;
/** The network ends by itself before, unless something else has to be made first. */
const START_MILLISECONDS = 300_000;
const NOT_PASSED_ON = ["json", "text", "data"];

export async function startNetwork(call: CommandCall): Promise<number> {
  const dataFolder = dataFolderOf(call);
  const running = readRunningRecord(dataFolder, call);
  if (running !== null)
    throw new CommandFailure(
      EXIT.failed,
      `a local network runs on ${dataFolder} already, as process ${running.pid}, at ${running.developmentUrl}. ` +
        "See it: callsign status. Stop it: callsign down. A second one: callsign up --data <folder> --any-ports",
    );
  const network = await startBeside(dataFolder, call);
  call.progress.done();
  call.printer.print(network, (paint) => describeRunning(network, paint));
  return EXIT.done;
}

/** Options of `npm start` go on as they are. */
function argumentsFor(dataFolder: string, { own }: CommandCall): readonly string[] {
  const passed = Object.entries(own).flatMap(([name, value]) => {
    if (value === undefined || value === false || NOT_PASSED_ON.includes(name)) return [];
    return value === true ? [`--${name}`] : [`--${name}`, value];
  });
  return ["localnet", "--json", "--data", dataFolder, ...passed];
}

async function startBeside(dataFolder: string, call: CommandCall): Promise<RunningNetwork> {
  const { host, progress, interrupted, environment } = call;
  const began = host.clock.elapsedMilliseconds();
  const seconds = () => ((host.clock.elapsedMilliseconds() - began) / 1000).toFixed(1);
  host.files.makeFolder(dirname(dataFolder));
  // It outlives this command, so that it cannot write into a pipe.
  const said = `${dataFolder}.out`;
  const out = host.files.openWrite(said);
  await once(out, "open");
  // This program again, as `callsign localnet`.
  const program = [...process.execArgv, ...NODE_OPTIONS, process.argv[1] ?? ""];
  const child = spawn(process.execPath, [...program, ...argumentsFor(dataFolder, call)], {
    detached: true,
    env: { ...MEMORY_SETTINGS, ...environment },
    stdio: ["ignore", "ignore", out],
  });
  const stopListening = onAbort(interrupted, () => child.kill());
  try {
    progress.begin(() => `starting the local network, ${seconds()} s${lastLine(host.files.read(said))}`);
    const network = await untilRecorded(child, dataFolder, call);
    if (network !== null) return network;
    const code = child.exitCode === EXIT.usage ? EXIT.usage : EXIT.failed;
    throw new CommandFailure(
      code,
      host.files.read(said)?.trim() || `the local network ended; see ${dataFolder}.log`,
    );
  } finally {
    stopListening();
    out.destroy();
    child.unref();
  }
}

/** Null if the process has ended. */
async function untilRecorded(child: ChildProcess, dataFolder: string, call: CommandCall) {
  const { clock, timers } = call.host;
  const failed = new AbortController();
  child.once("error", (error) => failed.abort(error));
  const late = clock.elapsedMilliseconds() + START_MILLISECONDS;
  while (child.exitCode === null && child.signalCode === null) {
    failed.signal.throwIfAborted();
    const found = readRunningRecord(dataFolder, call);
    if (found !== null && found.pid === child.pid) return found;
    if (clock.elapsedMilliseconds() > late) {
      child.kill();
      throw new CommandFailure(
        EXIT.failed,
        `the local network does not start within ${START_MILLISECONDS / 1000} s; see ${dataFolder}.log`,
      );
    }
    await sleep(LOOK_MILLISECONDS, { timers, signal: failed.signal });
  }
  return null;
}

function lastLine(text: string | null): string {
  const last = text?.trim().split("\n").at(-1) ?? "";
  return last === "" ? "" : `: ${last.slice(0, 80)}`;
}
