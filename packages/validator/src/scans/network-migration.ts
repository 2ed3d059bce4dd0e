/** The network's own migration id, by the sequencers that its SVs publish. */
import { networkSequencers } from "./choose-sequencers.ts";
import type { ScanGroup } from "./scan-group.ts";

/** Throws if the network is at another migration: traffic that is bought for it would count for nothing. */
export async function requireMigration(scans: ScanGroup, migrationId: number): Promise<void> {
  const listed = await scans.read(networkSequencers);
  const known = new Set(listed.map((each) => each.migrationId).filter((id) => id >= 0));
  if (known.size === 0 || known.has(migrationId)) return;
  throw new Error(
    `the network is at migration ${[...known].join(", ")}, and migrationId is ${migrationId}: configure the network's`,
  );
}
