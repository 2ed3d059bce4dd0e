/** The command: runs the local network until it is told to stop. Its output stands on the terminal, its log in a file. */
import { resolve } from "node:path";
import { createLog, type Host, quoteForShell, untilStopped, writeProcessRecord } from "@callsign/node";
import { readArguments, USAGE, USUAL_DATA_FOLDER } from "./arguments.ts";
import { useLongPoolBlocks } from "./buffer-pool.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { explainFailedStart } from "./explain-failed-start.ts";
import { FREE_PORTS, STANDARD_PORTS } from "./ports.ts";
import { findEngine, returnMemory } from "./return-memory.ts";
import { startLocalnet } from "./start-localnet.ts";
import { describeNetwork, formatSummary } from "./summary.ts";

export interface LocalnetSurroundings {
  readonly write: (text: string) => void;
  /** For people who watch: errors, notices. */
  readonly complain: (text: string) => void;
  readonly host: Host;
  /** The words that run the command line here, if `callsign` does not. */
  readonly callsign?: string;
}

/** Resolves with the exit code. */
export async function runLocalnet(
  args: readonly string[],
  { write, complain, host, callsign }: LocalnetSurroundings,
): Promise<number> {
  const fail = (error: unknown) => {
    const { text, exitCode } = explainFailedStart(error);
    complain(`${text}\n`);
    return exitCode;
  };
  try {
    const { help, json, level, "any-ports": anyPorts, ...options } = readArguments(args);
    if (help) {
      write(`${USAGE}\n`);
      return 0;
    }
    useLongPoolBlocks();
    const { dataFolder } = options;
    prepareDataFolder(dataFolder, host);
    const logFile = `${dataFolder}.log`;
    const log = createLog({ level, file: logFile });
    const ports = anyPorts ? FREE_PORTS : STANDARD_PORTS;
    const network = await startLocalnet({ ...options, ports, log }, host);
    const files = { dataFolder, logFile };
    const description = describeNetwork(network, files);
    const recordFile = `${dataFolder}.json`;
    const engine = findEngine();
    const stopReturning = engine === null ? () => undefined : returnMemory(engine, host.timers);
    const close = async () => {
      stopReturning();
      host.files.remove(recordFile);
      await network.close();
    };
    const said = json
      ? JSON.stringify(description)
      : formatSummary(network, {
          files,
          seconds: host.clock.elapsedMilliseconds() / 1000,
          settings: listShellSettings(dataFolder, callsign),
        });
    for (const notice of network.notices) complain(`${notice}\n`);
    // Set up before the summary is printed: its reader may stop the network at once.
    const stopped = untilStopped({ close, onFailure: fail, host });
    writeProcessRecord(recordFile, description, host);
    write(`${said}\n`);
    return await stopped;
  } catch (error) {
    return fail(error);
  }
}

/** For a shell in the folder of this process. */
function listShellSettings(dataFolder: string, callsign: string | undefined): readonly string[] {
  return [
    ...(callsign === undefined ? [] : [`alias callsign=${quoteForShell(callsign)}`]),
    ...(dataFolder === resolve(USUAL_DATA_FOLDER)
      ? []
      : [`export CALLSIGN_DATA=${quoteForShell(dataFolder)}`]),
  ];
}
