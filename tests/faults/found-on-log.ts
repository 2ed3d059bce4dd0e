/** Founds a network on a log that no SV has opened yet. */
import { join } from "node:path";
import {
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
  timeFromMicros,
} from "@callsign/ledger";
import { loadMemberIdentity, sha256, systemHost } from "@callsign/node";
import type { OrderedLog } from "@callsign/synchronizer";
import { type NetworkFounding, signFounding } from "../../packages/sv/src/founding/sign-founding.ts";

export async function foundOnLog(
  log: OrderedLog,
  svs: readonly { readonly name: string; readonly dataFolder: string }[],
  terms: Omit<NetworkFounding, "svs">,
): Promise<void> {
  const members = svs.map(({ name, dataFolder }) => ({
    name,
    identity: loadMemberIdentity(join(dataFolder, name), name, systemHost),
  }));
  const envelope = signFounding({
    ...terms,
    svs: members,
  });
  const stampedAt = timeFromMicros(BigInt(Date.now()) * 1000n);
  const entry: LogEntry = { ...envelope, sequence: 1, previousHash: FIRST_PREVIOUS_HASH, stampedAt };
  const head = { sequence: 1, entryHash: hashLogEntry(sha256, entry) };
  const after = { sequence: 0, entryHash: FIRST_PREVIOUS_HASH };
  const { appended } = await log.append({ after, head, entries: [formatLogEntry(entry)] });
  if (!appended) throw new Error("the log is not empty");
}
