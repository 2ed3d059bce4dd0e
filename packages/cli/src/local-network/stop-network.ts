/** `callsign down`: stops the local network of a data folder. Its data is kept. */
import { sleep } from "@callsign/node";
import { dataFolderOf, findLocalNetwork, readRunningRecord } from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";

const LOOK_MILLISECONDS = 20;
/** A network that is told to stop does so within ten seconds. */
const STOP_MILLISECONDS = 15_000;

export async function stopNetwork(call: CommandCall): Promise<number> {
  const { host, progress, printer } = call;
  const dataFolder = dataFolderOf(call);
  const running = readRunningRecord(dataFolder, call);
  if (running === null || running.pid === null) {
    const other = await findLocalNetwork(call);
    const where =
      other === null
        ? `no local network runs on the data folder ${dataFolder}`
        : `a local network runs at ${other.developmentUrl}, on another data folder: name it with --data`;
    throw new CommandFailure(EXIT.unreachable, where);
  }
  const { pid } = running;
  progress.begin(`stopping the local network, process ${pid}`);
  process.kill(pid, "SIGTERM");
  const late = host.clock.elapsedMilliseconds() + STOP_MILLISECONDS;
  while (isThere(pid)) {
    if (host.clock.elapsedMilliseconds() > late)
      throw new CommandFailure(EXIT.failed, `process ${pid} does not end; end it with: kill -9 ${pid}`);
    await sleep(LOOK_MILLISECONDS, { timers: host.timers, signal: call.interrupted });
  }
  host.files.remove(`${dataFolder}.out`);
  progress.done();
  printer.print(
    { stopped: pid, dataFolder },
    () => `The local network has stopped. Its data is kept in ${dataFolder}.\n`,
  );
  return EXIT.done;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
