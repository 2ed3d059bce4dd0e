/** `npm start [-- <options>]`: runs the local network until it is told to stop. */
import { createLog, systemHost } from "@callsign/node";
import { readArguments, USAGE } from "./arguments.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { explainFailedStart } from "./explain-failed-start.ts";
import { STOP_MILLISECONDS } from "./limits.ts";
import { FREE_PORTS, STANDARD_PORTS } from "./ports.ts";
import { type Localnet, startLocalnet } from "./start-localnet.ts";
import { describeNetwork, formatSummary } from "./summary.ts";

const { clock, timers } = systemHost;
/** Signals within this time are one request. */
const SAME_SIGNAL_MILLISECONDS = 500;

async function main(): Promise<void> {
  const { help, json, level, "any-ports": anyPorts, ...options } = readArguments(process.argv.slice(2));
  if (help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { dataFolder } = options;
  prepareDataFolder(dataFolder, systemHost);
  const logFile = `${dataFolder}.log`;
  const log = createLog({ level, file: logFile });
  const ports = anyPorts ? FREE_PORTS : STANDARD_PORTS;
  const network = await startLocalnet({ ...options, ports, log });
  const files = { dataFolder, logFile };
  const said = json
    ? JSON.stringify(describeNetwork(network, files))
    : formatSummary(network, files, clock.elapsedMilliseconds() / 1000);
  for (const notice of network.notices) process.stderr.write(`${notice}\n`);
  // Set up before the summary is printed: its reader may stop the network at once.
  stopOnSignal(network);
  process.stdout.write(`${said}\n`);
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
    network.close().then(() => process.exit(0), fail);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function fail(error: unknown): void {
  const { text, exitCode } = explainFailedStart(error);
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}

main().catch(fail);
