/** `callsign log restore`: restores a shared log that lost its tail from the copies of the SVs, beside a stopped SV. */
import { join } from "node:path";
import { CannotStart, Closing, createLog } from "@callsign/node";
import { type RestoredLog, restoreNetworkLog } from "@callsign/sv";
import type { LogHead } from "@callsign/synchronizer";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { LOG_COPY, openNetworkLog } from "../run/open-network-log.ts";
import type { SvSetup } from "../settings/setups.ts";
import { describeDecisions, describeWait } from "./describe-restore.ts";

/** Batches between two lines of progress. */
const REPORTED_BATCHES = 100;

interface RestoreOptions {
  /** Names of SVs, with commas between them. */
  readonly lost: string;
  /** Places and hashes, with commas between them. */
  readonly keep: string;
  readonly applies: boolean;
}

/** Resolves with the exit code. */
export function runLogRestore(
  setup: SvSetup,
  { terminal, host }: Surroundings,
  { lost, keep, applies }: RestoreOptions,
): Promise<number> {
  return explaining("callsign log restore", terminal, async () => {
    const { dataFolder, orderedLog: settings, svs } = setup;
    if (settings.kind === "sqlite")
      throw new CannotStart(
        "log.kind is sqlite, and such a log has no copies at other SVs: restore it from a back-up (callsign restore)",
      );
    const kept = readKept(keep);
    if (!host.files.list(dataFolder).includes(LOG_COPY))
      throw new CannotStart(
        `${dataFolder} has no ${LOG_COPY}: set callsign.dataFolder to the folder of an SV that has followed the log`,
      );
    const closing = new Closing();
    try {
      const log = createLog(setup.log);
      let batches = 0;
      const { log: orderedLog, place } = await openNetworkLog(setup, { host, closing, log });
      const outcome = await restoreNetworkLog(
        {
          ...{ dataFolder, orderedLog, log, kept, applies },
          svs: svs.map(({ name }) => name),
          copyPath: join(dataFolder, LOG_COPY),
          lost: splitWords(lost),
          report: ({ sequence }: LogHead) => {
            batches++;
            if (batches % REPORTED_BATCHES === 0) terminal.complain(`restored up to entry ${sequence}\n`);
          },
        },
        host,
      );
      terminal.write(describeDecisions(outcome, { place, applies }));
      checkDecided(outcome);
    } finally {
      await closing.close();
    }
  });
}

function checkDecided({ end, network, silent }: RestoredLog): void {
  if (end.kind === "waits") throw new CannotStart(describeWait(end, { network, silent }));
}

function splitWords(given: string): readonly string[] {
  return given
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function readKept(given: string): ReadonlyMap<number, string> {
  const kept = new Map<number, string>();
  for (const word of splitWords(given)) {
    const [, sequence, hash] = /^([1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(word) ?? [];
    if (sequence === undefined || hash === undefined)
      throw new CannotStart(
        `--keep: ${JSON.stringify(word)} is not <number>:<hash>, an entry's number and its SHA-256 in lower-case hex`,
      );
    if (kept.has(Number(sequence))) throw new CannotStart(`--keep names two entries with number ${sequence}`);
    kept.set(Number(sequence), hash);
  }
  return kept;
}
