/** What administers a participant beside the ledger API: pruning, and the way to the network. */
import { participantAdminApi } from "@callsign/api";
import { type Log, type MountParts, mountApi, type Store } from "@callsign/node";
import type { Caller } from "./access/caller.ts";
import type { SequencerConnections } from "./network/sequencer-connections.ts";
import { Pruner } from "./pruning/pruner.ts";
import { ScheduledPruning } from "./pruning/scheduled-pruning.ts";
import { pruningRoutes } from "./routes/pruning-routes.ts";
import { sequencerConnectionRoutes } from "./routes/sequencer-connection-routes.ts";
import type { LedgerStore } from "./store/ledger-store.ts";
import type { ParticipantSettings } from "./store/participant-settings.ts";
import { PruningStore } from "./store/pruning-store.ts";

export interface AdminParts {
  readonly store: Store;
  readonly ledger: LedgerStore;
  readonly settings: ParticipantSettings;
  readonly connections: SequencerConnections;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

export async function assembleAdmin(
  parts: AdminParts,
  rules: Omit<MountParts<typeof participantAdminApi.endpoints, Caller, Caller>, "handlers">,
) {
  const { ledger, settings, connections, log, stopping } = parts;
  const store = new PruningStore(parts.store, ledger);
  const pruner = new Pruner({ ledger, store, log, stopping });
  const scheduled = new ScheduledPruning({
    ...{ ledger, store, settings, pruner, log, stopping },
    time: connections,
  });
  await scheduled.read();
  const handlers = {
    ...pruningRoutes({ ledger, pruner, scheduled, now: () => connections.now() }),
    ...sequencerConnectionRoutes({ connections, settings }),
  };
  return {
    api: mountApi(participantAdminApi, { ...rules, handlers }),
    start: () => {
      pruner.start();
      scheduled.start();
    },
    /** After the stop was signalled. */
    close: async () => {
      await scheduled.close();
      await pruner.idle();
    },
  };
}
