/** `callsign log copy`: copies the ordered log of a stopped network to the place of another configuration, and verifies it. */
import { dirname, join } from "node:path";
import { CannotStart, Closing, createLog, type Host, type Log, sha256, sleep } from "@callsign/node";
import { findSnapshot } from "@callsign/sv";
import { copyLog, type LogCopy, type OrderedLog } from "@callsign/synchronizer";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { describeLogOf, openNetworkLog } from "../run/open-network-log.ts";
import type { SvSetup } from "../settings/setups.ts";

/** Pages between two lines of progress. */
const REPORTED_PAGES = 100;
/** Looks for others that follow the log. */
const MOST_LOOKS = 10;
const LOOK_MILLISECONDS = 500;

/** Resolves with the exit code. */
export function runLogCopy(from: SvSetup, to: SvSetup, { terminal, host }: Surroundings): Promise<number> {
  return explaining("callsign log copy", terminal, async () => {
    const [source, target] = [describeLogOf(from, host), describeLogOf(to, host)];
    if (source === target)
      throw new CannotStart(`both configurations name ${target}: there is nothing to copy`);
    requireFile(from, source, host);
    const closing = new Closing();
    try {
      const opening = { host, closing, log: createLog(from.log) };
      const { log: read } = await openNetworkLog(from, opening);
      if ((await read.head()).sequence === 0)
        throw new CannotStart(`the log ${source} is empty: there is nothing to copy`);
      await refuseFollowed(read, source, host);
      const { log: written } = await openNetworkLog(to, opening);
      let pages = 0;
      const report = ({ sequence }: LogCopy["head"]) => {
        pages++;
        if (pages % REPORTED_PAGES === 0) terminal.complain(`copied up to entry ${sequence}\n`);
      };
      const first = await findFirst(from, read, opening);
      const copy = await copyLog({ from: read, to: written, hash: sha256, report, ...(first && { first }) });
      terminal.write(describe(copy, { source, target }));
    } finally {
      await closing.close();
    }
  });
}

/** SVs that go on with the old log would leave the network with two histories. */
async function refuseFollowed(log: OrderedLog, source: string, { timers }: Host): Promise<void> {
  // The server ends the sessions of a process that has just stopped in its own time.
  for (let looks = 1; await log.isFollowed?.(); looks++) {
    if (looks === MOST_LOOKS)
      throw new CannotStart(
        `SVs or scans follow the log ${source}: stop all of them, on every machine, and run the command again`,
      );
    await sleep(LOOK_MILLISECONDS, { timers });
  }
}

/** The first entry of all, for a copy of a log that was trimmed: a snapshot of the SVs has it. Null if the log has it. */
async function findFirst(
  { dataFolder, svs }: SvSetup,
  read: OrderedLog,
  { host, log }: { readonly host: Host; readonly log: Log },
): Promise<string | null> {
  const { sequence: start } = await read.start();
  if (start === 0) return null;
  const kept = (await read.keptFirst?.()) ?? null;
  if (kept !== null) return kept;
  const [folder = dataFolder, ...others] = svs.map(({ name }) => join(dataFolder, name));
  const { file, source } = await findSnapshot({ start, folders: [folder, ...others], host, log });
  file.close();
  return source.proof.first;
}

/** A log that was never there is not made by looking at it. */
function requireFile({ orderedLog }: SvSetup, path: string, { files }: Host): void {
  if (orderedLog.kind !== "sqlite") return;
  const folder = dirname(path);
  if (files.list(folder).some((name) => path.endsWith(name))) return;
  throw new CannotStart(
    `there is no log ${path}: set callsign.dataFolder and migration.id to those of the SVs`,
  );
}

function describe(
  { before, copied, head }: LogCopy,
  { source, target }: { readonly source: string; readonly target: string },
): string {
  return (
    `The log is copied: ${target}\n  from: ${source}\n  entries: ${head.sequence}, ${copied} of them copied now and ` +
    `${before} before\n  last entry: ${head.entryHash}\n  every number, link and hash was checked, in the log and in the copy\n` +
    "Start callsign sv with the new values; identities and replicas stay where they are. Keep the old log as a back-up, and " +
    "never start SVs on it again: the network would have two histories.\n"
  );
}
