/** The folder of the network's data: its files, and their deletion. */
import { join } from "node:path";
import { DatabaseInUse, type Host } from "@callsign/node";
import { SqliteLog } from "@callsign/synchronizer";
import { NODE_NAMES } from "./ports.ts";

export const SV_NAMES: readonly string[] = [1, 2, 3, 4].map((number) => `sv-${number}`);

const LOG_FILE = "log.db";

/** Deletes the network's own files and no others. Throws if another process uses them: opening the log shows it. */
export async function forget(dataFolder: string, host: Host): Promise<void> {
  const found = host.files.list(dataFolder);
  if (!found.includes(LOG_FILE)) {
    if (found.length === 0) return;
    throw new NotADataFolder(
      `${dataFolder} has files, but none of a local network: nothing was deleted. Give an empty or a new folder`,
    );
  }
  await checkNotInUse(logPath(dataFolder), host);
  const own = new Set<string>([...NODE_NAMES, ...SV_NAMES]);
  for (const name of found) {
    if (own.has(name) || name.startsWith(LOG_FILE)) host.files.remove(join(dataFolder, name));
  }
}

/** A log that cannot be read is not in use. */
async function checkNotInUse(path: string, host: Host): Promise<void> {
  try {
    await new SqliteLog(path, host).close();
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
  }
}

export class NotADataFolder extends Error {
  override readonly name = "NotADataFolder";
}

export function logPath(dataFolder: string): string {
  return join(dataFolder, LOG_FILE);
}
