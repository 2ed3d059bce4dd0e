/** `npm start [-- <options>]`: runs the local network until it is told to stop. */
import { createLog, systemHost, untilStopped } from "@callsign/node";
import { readArguments, USAGE } from "./arguments.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { explainFailedStart } from "./explain-failed-start.ts";
import { FREE_PORTS, STANDARD_PORTS } from "./ports.ts";
import { startLocalnet } from "./start-localnet.ts";
import { describeNetwork, formatSummary } from "./summary.ts";

const { clock } = systemHost;

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
  const stopped = untilStopped({ close: network.close, onFailure: fail, host: systemHost });
  process.stdout.write(`${said}\n`);
  process.exit(await stopped);
}

function fail(error: unknown): void {
  const { text, exitCode } = explainFailedStart(error);
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}

main().catch(fail);
