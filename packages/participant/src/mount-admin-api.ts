/** The participant's admin API: pruning, identity and sequencer connections. */
import { participantAdminApi } from "@callsign/api";
import {
  type Host,
  type KeptIdentity,
  type Log,
  type MountParts,
  mountApi,
  type Store,
} from "@callsign/node";
import type { LedgerCaller } from "./access/caller.ts";
import type { SequencerConnections } from "./network/sequencer-connections.ts";
import { Pruner } from "./pruning/pruner.ts";
import { ScheduledPruning } from "./pruning/scheduled-pruning.ts";
import { identityRoutes } from "./routes/identity-routes.ts";
import { pruningRoutes } from "./routes/pruning-routes.ts";
import { sequencerConnectionRoutes } from "./routes/sequencer-connection-routes.ts";
import type { LedgerStore } from "./store/ledger-store.ts";
import type { ParticipantSettings } from "./store/participant-settings.ts";
import { PruningStore } from "./store/pruning-store.ts";

interface AdminParts {
  readonly identity: KeptIdentity;
  readonly store: Store;
  readonly ledger: LedgerStore;
  readonly settings: ParticipantSettings;
  readonly connections: SequencerConnections;
  /** Null if it is not known. */
  readonly migrationId: number | null;
  readonly host: Host;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

export async function mountAdminApi(
  parts: AdminParts,
  rules: Omit<MountParts<typeof participantAdminApi.endpoints, LedgerCaller, LedgerCaller>, "handlers">,
) {
  const { ledger, settings, connections, migrationId, host, log, stopping } = parts;
  const store = new PruningStore(parts.store, ledger);
  const now = () => connections.now();
  const pruner = new Pruner({ ledger, store, host, log, stopping });
  const scheduled = new ScheduledPruning({
    ...{ ledger, store, settings, pruner, host, log, stopping },
    time: { now, estimatedNow: () => connections.current.consensus.estimatedNow },
    reported: connections.reported,
  });
  await scheduled.read();
  const handlers = {
    ...pruningRoutes({ ledger, pruner, scheduled, now, timers: host.timers }),
    ...identityRoutes(parts.identity),
    ...sequencerConnectionRoutes({ connections, settings, migrationId }),
  };
  return {
    api: mountApi(participantAdminApi, { ...rules, handlers }),
    start: () => {
      pruner.start();
      scheduled.start();
    },
    /** Call after the stop signal. */
    close: async () => {
      await scheduled.close();
      await pruner.idle();
    },
  };
}
