/** Prepares the store of a participant that lacks pruned items for the state of its parties, which its next start loads. */
import { join } from "node:path";
import type { StorePosition } from "@callsign/api";
import { CannotStart, type Host, type Log, openStore, type PostgresConfig } from "@callsign/node";
import { participantStore } from "../store/participant-store.ts";
import { forgetStream } from "../store/state-store.ts";

interface GivingUp {
  readonly host: Host;
  readonly log: Log;
  /** False: nothing is changed. */
  readonly applies: boolean;
}

/** Resolves with the place that the store had come to. The participant does not run. */
export async function giveUpHistory(
  config: { readonly dataFolder: string; readonly database?: PostgresConfig },
  { host, log, applies }: GivingUp,
): Promise<StorePosition> {
  const { fileName, migrations, findPosition } = participantStore;
  if (config.database === undefined && !host.files.list(config.dataFolder).includes(fileName))
    throw new CannotStart(
      `there is no store in ${config.dataFolder}: the participant was never started there`,
    );
  const store = await openStore({ ...config, file: join(config.dataFolder, fileName) }, migrations, {
    host,
    log,
  });
  try {
    const position = await findPosition(store);
    if (applies) await store.transaction(forgetStream);
    return position;
  } finally {
    await store.close();
  }
}
