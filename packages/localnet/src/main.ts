/** `npm start [-- <options>]`: runs the local network until it is told to stop. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  createLog,
  DatabaseDamaged,
  DatabaseInUse,
  StoreIsNewer,
  StoreUnwritable,
  systemHost,
} from "@callsign/node";
import { NotADataFolder } from "./data-folder.ts";
import { STOP_MILLISECONDS } from "./limits.ts";
import { AUTOMATION_NAMES, type LocalnetAutomation } from "./paused-automations.ts";
import { FREE_PORTS, STANDARD_PORTS } from "./ports.ts";
import { CannotStart } from "./readiness.ts";
import { type Localnet, startLocalnet } from "./start-localnet.ts";
import { describeNetwork, formatSummary } from "./summary.ts";

const USAGE = `Usage: npm start [-- <options>]
  --fresh          forget what an earlier run has left
  --data <folder>  where the network keeps its data (.data/localnet)
  --any-ports      listen on whatever ports are free, so that several networks can run
  --pause <names>  what SVs and validators do not do by themselves, with commas between
  --json           print addresses and tokens as one line of JSON, for programs
  --log <level>    debug, info, warn or error (warn)
  --help           this text`;

const { clock, timers } = systemHost;
const LEVELS = ["debug", "info", "warn", "error"] as const;
/** Signals within this time are one request. */
const SAME_SIGNAL_MILLISECONDS = 500;

async function main(): Promise<void> {
  const { values } = readArguments();
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const level = LEVELS.find((known) => known === values.log);
  if (level === undefined) throw new UsageError(`--log is one of ${LEVELS.join(", ")}, not ${values.log}`);
  const dataFolder = values.data;
  if (dataFolder === "") throw new UsageError("--data needs the name of a folder");
  const pausedAutomations = readPaused(values.pause);
  const log = createLog({ level, file: `${dataFolder}.log` });
  const ports = values["any-ports"] ? FREE_PORTS : STANDARD_PORTS;
  const network = await startLocalnet({ dataFolder, ports, fresh: values.fresh, log, pausedAutomations });
  const said = values.json
    ? JSON.stringify(describeNetwork(network))
    : formatSummary(network, clock.elapsedMilliseconds() / 1000);
  // Set up before the summary is printed: its reader may stop the network at once.
  stopOnSignal(network);
  process.stdout.write(`${said}\n`);
}

function readPaused(text: string): readonly LocalnetAutomation[] {
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "").map(readAutomation);
}

function readAutomation(name: string): LocalnetAutomation {
  const known = AUTOMATION_NAMES.find((each) => each === name);
  if (known !== undefined) return known;
  throw new UsageError(`--pause knows no ${name}: it takes ${AUTOMATION_NAMES.join(", ")}`);
}

class UsageError extends Error {
  override readonly name = "UsageError";
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        fresh: { type: "boolean", default: false },
        data: { type: "string", default: join(".data", "localnet") },
        "any-ports": { type: "boolean", default: false },
        pause: { type: "string", default: "" },
        json: { type: "boolean", default: false },
        log: { type: "string", default: "warn" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A second signal, or a stop that takes too long, ends the process at once: acknowledged data is on disk. */
function stopOnSignal(network: Localnet): void {
  let stoppedAt = Number.POSITIVE_INFINITY;
  const stop = () => {
    // A terminal signals every process of its group, and npm forwards the signal once more.
    if (clock.elapsedMilliseconds() > stoppedAt + SAME_SIGNAL_MILLISECONDS) process.exit(130);
    if (stoppedAt < Number.POSITIVE_INFINITY) return;
    stoppedAt = clock.elapsedMilliseconds();
    timers.set(() => process.exit(1), STOP_MILLISECONDS).unref();
    network.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${explain(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n${USAGE}`;
  if (error instanceof NotADataFolder) return error.message;
  if (error instanceof DatabaseInUse)
    return `The local network runs already with this data folder: stop it first, or give another one with --data.\n(${error.message})`;
  if (error instanceof StoreUnwritable)
    return `The local network cannot start: ${error.message}. Make room, or give another folder with --data.`;
  if (error instanceof CannotStart || error instanceof DatabaseDamaged || error instanceof StoreIsNewer)
    return `The local network cannot start: ${error.message}.\nIf its data does not matter, begin anew with --fresh.`;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE" && "port" in error) {
    return (
      `Port ${String(error.port)} is in use by another program, and the local network needs it. ` +
      "Stop that program (or another local network), or start with --any-ports."
    );
  }
  // The system's own errors, such as a folder that cannot be written to, name their cause.
  if (error instanceof Error && "syscall" in error) return `The local network cannot start: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
