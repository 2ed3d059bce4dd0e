/**
 * Moves a stopped role's store to the place of another configuration, from SQLite to PostgreSQL or back, and verifies it row
 * for row. The old store stays as it is, and a start on it is refused. A move that was killed is repeated by the same call.
 */
import { join } from "node:path";
import { ArchiveRefused, type Host } from "@callsign/node";
import { type Restored, restoreBackup } from "./restore-backup.ts";
import { copySnapshots } from "./snapshot-files.ts";
import { describePlace, markPlaceMoved, openStopped, refuseRunning, type StoredRole } from "./store-place.ts";
import { writeBackup } from "./take-backup.ts";

/** A back-up on its way, in the new data folder. */
const MOVING = "moving";

export async function moveStore(
  from: StoredRole,
  to: StoredRole,
  { replace, host }: { readonly replace: boolean; readonly host: Host },
): Promise<Restored> {
  if (describePlace(from) === describePlace(to))
    throw new ArchiveRefused(`both configurations name ${describePlace(to)}: there is nothing to move`);
  await refuseRunning(to, host);
  const { files } = host;
  const folder = join(to.dataFolder, MOVING);
  // Nobody can start on the old store before it is marked.
  const snapshot = await openStopped(from, host);
  try {
    files.remove(folder);
    files.makeFolder(folder);
    const copied = await copySnapshots(from, folder, host);
    await writeBackup(from, { snapshot, copied, folder }, host);
    const restored = await restoreBackup(to, { from: folder, replace, verify: true }, host);
    await markPlaceMoved(from, to, host);
    files.remove(folder);
    return restored;
  } finally {
    await snapshot.close();
  }
}
