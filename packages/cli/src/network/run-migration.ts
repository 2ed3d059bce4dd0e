/** `callsign network migrate`: carries a stopped network over to the next migration id, and says what to do then. */
import { formatDecimalShort } from "@callsign/ledger";
import { createLog } from "@callsign/node";
import { type CarriedNetwork, migrateNetwork } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { placeOf, requireOwnLog } from "../run/open-network-log.ts";
import { machineTime } from "../run/run-sv.ts";
import type { SvSetup } from "../settings/setups.ts";

const ELSEWHERE =
  "the new log is signed with the keys of a quorum of SVs in one place. A new protocol version needs no new log: run callsign " +
  "network draft --activation. To migrate all the same, stop the SVs, copy the log to a SQLite one (callsign log copy), run this " +
  "there with the folders of the SVs beside it, and copy the new log to an empty place of the engine";

/** Resolves with the exit code. */
export function runMigration(setup: SvSetup, { terminal, host }: Surroundings): Promise<number> {
  return explaining("callsign network migrate", terminal, async () => {
    requireOwnLog(setup, ELSEWHERE);
    const { migrationId, logPath, carried } = await migrateNetwork(
      {
        ...placeOf(setup),
        svs: setup.svs.map(({ name }) => name),
        clock: machineTime(host),
        log: createLog(setup.log),
        report: (progress) => terminal.write(`${progress}\n`),
      },
      host,
    );
    if (carried === null)
      terminal.write(`The network was migrated to id ${migrationId} before: ${logPath}\n`);
    else terminal.write(describe(carried, migrationId, logPath));
    terminal.write(nextSteps(migrationId));
  });
}

function describe(carried: CarriedNetwork, migrationId: bigint, logPath: string): string {
  const { from, to, counts, signedBy, left, parts } = carried;
  const lines: readonly (readonly [string, string | number])[] = [
    ["ended with", `entry ${from.sequence}, digest ${from.digest}`],
    ["begins with", `entry ${to.sequence}, digest ${to.digest}, ${parts} parts of state`],
    ["signed by", signedBy.join(", ")],
    ...[...left].map(([name, reason]) => [`without ${name}`, reason] as const),
    ["contracts", counts.contracts],
    ["members", counts.members],
    ["parties", counts.parties],
    ["names", counts.names],
    ["subscriptions", counts.subscriptions],
    ["licenses", counts.licenses],
    ["coin", formatDecimalShort(counts.coin)],
    ["locked coin", formatDecimalShort(counts.lockedCoin)],
  ];
  const table = lines.map(([what, value]) => `  ${what}: ${value}\n`).join("");
  return `The network is migrated to id ${migrationId}: ${logPath}\n${table}`;
}

function nextSteps(migrationId: bigint): string {
  return (
    `Set migration.id to ${migrationId} and start callsign sv. Validators and participants start with ` +
    `migration.id ${migrationId} and migration.migrating true.\n`
  );
}
