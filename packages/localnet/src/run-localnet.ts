/** The command: runs the local network until it is told to stop. Its output stands on the terminal, its log in a file. */
import { createLog, type Host, untilStopped, writeProcessRecord } from "@callsign/node";
import { readArguments, USAGE } from "./arguments.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { explainFailedStart } from "./explain-failed-start.ts";
import { FREE_PORTS, STANDARD_PORTS } from "./ports.ts";
import { startLocalnet } from "./start-localnet.ts";
import { describeNetwork, formatSummary } from "./summary.ts";

export interface LocalnetSurroundings {
  readonly write: (text: string) => void;
  /** For people who watch: errors, notices. */
  readonly complain: (text: string) => void;
  readonly host: Host;
}

/** Resolves with the exit code. */
export async function runLocalnet(
  args: readonly string[],
  { write, complain, host }: LocalnetSurroundings,
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
    const { dataFolder } = options;
    prepareDataFolder(dataFolder, host);
    const logFile = `${dataFolder}.log`;
    const log = createLog({ level, file: logFile });
    const ports = anyPorts ? FREE_PORTS : STANDARD_PORTS;
    const network = await startLocalnet({ ...options, ports, log }, host);
    const files = { dataFolder, logFile };
    const description = describeNetwork(network, files);
    const recordFile = `${dataFolder}.json`;
    const close = async () => {
      host.files.remove(recordFile);
      await network.close();
    };
    const said = json
      ? JSON.stringify(description)
      : formatSummary(network, files, host.clock.elapsedMilliseconds() / 1000);
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
