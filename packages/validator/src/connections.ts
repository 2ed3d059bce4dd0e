/** The parts of a validator that exist from its first moment on: its store, and its ways to the network. */
import { join } from "node:path";
import { MIN_TIME } from "@callsign/ledger";
import { type Host, openStore, type RebuiltFile } from "@callsign/node";
import { openCopyMetrics } from "./follower/copy-metrics.ts";
import { LedgerClock } from "./ledger/ledger-clock.ts";
import { openParticipantAdmin } from "./ledger/participant-admin.ts";
import { ParticipantClient } from "./ledger/participant-client.ts";
import { WalletGrants } from "./onboarding/wallet-grants.ts";
import { NetworkFacts } from "./scans/network-facts.ts";
import { openScans } from "./scans/open-scans.ts";
import { SequencerUpdates } from "./scans/sequencer-updates.ts";
import { reservedBytes, usedTopUp } from "./settings/top-up-settings.ts";
import { KnownScansStore } from "./store/known-scans.ts";
import { walletStore } from "./store/wallet-definition.ts";
import { WalletStore } from "./store/wallet-store.ts";
import type { ValidatorConfig } from "./validator-config.ts";
import { TrafficReserve } from "./wallet/traffic-reserve.ts";
import { Treasury } from "./wallet/treasury.ts";

export type Connections = Awaited<ReturnType<typeof openConnections>>;

export async function openConnections(config: ValidatorConfig, host: Host) {
  const { dataFolder, participantUrl, participantAdminUrl = participantUrl, log, metrics } = config;
  const clock = new LedgerClock();
  // Lookups see at least the ledger that wallets have seen.
  const waitFor = () => (clock.now === MIN_TIME ? null : clock.now);
  const service = { ...config.serviceUser, tls: config.participantTls, host };
  const participant = new ParticipantClient({ ...service, url: participantUrl });
  const participantAdmin = openParticipantAdmin({ ...service, url: participantAdminUrl });
  let rebuilt: RebuiltFile | null = null;
  const rebuild = {
    source: "the participant",
    onRebuilt: (moved: RebuiltFile) => {
      rebuilt = moved;
    },
  };
  const place = { ...config, file: join(dataFolder, walletStore.fileName), rebuild };
  const database = await openStore(place, walletStore.migrations, { host, log, metrics });
  const store = new WalletStore(database);
  const known = new KnownScansStore(database);
  const { scans, directory } = await openScans(config.scans, { store: known, waitFor, host, log, metrics });
  const facts = new NetworkFacts(scans, clock, host);
  const sequencers =
    config.sequencers === undefined
      ? null
      : new SequencerUpdates({
          ...{ source: config.sequencers, migrationId: config.migrationId ?? 0 },
          ...{ scans, participantAdmin, clock, host, log },
        });
  const topup = usedTopUp(config);
  return {
    ...{ host, log, clock, scans, directory, sequencers, facts, participant, participantAdmin },
    ...{ database, store, rebuilt: rebuilt as RebuiltFile | null },
    treasury: new Treasury(),
    grants: new WalletGrants(host.clock),
    copyMetrics: openCopyMetrics(metrics, store, { clock, host }),
    reserve: new TrafficReserve(topup === undefined ? null : reservedBytes(topup), {
      facts,
      participant,
      host,
    }),
  };
}
