/** A participant from its parts: identity, store, connections, APIs. The one place that knows them all. */
import type { StorePosition } from "@callsign/api";
import { createEngine, networkCatalogue } from "@callsign/ledger";
import {
  Bell,
  checkedRarely,
  type Host,
  type KeptIdentity,
  KeyRotation,
  type Listening,
  type Log,
  listeningOf,
  type Metrics,
  type MountedApi,
  type PostgresConfig,
  type Store,
  serveWebsockets,
  sha256,
  startHttpServer,
  systemHost,
  type TokenTimes,
  type WebsocketLimits,
} from "@callsign/node";
import { createAuthenticate } from "./access/authenticate.ts";
import { admitBody, authorize } from "./access/authorize.ts";
import type { LedgerCaller } from "./access/caller.ts";
import { createTokenServices, type ParticipantAuth } from "./access/token-services.ts";
import type { ExpectedNetwork } from "./agreement/network-votes.ts";
import { followLedger } from "./follow-ledger.ts";
import { CHECKPOINT_INTERVALS, type CheckpointIntervals } from "./limits/limits.ts";
import { openOwnStore } from "./migration/open-own-store.ts";
import type { OwnMigration } from "./migration/store-migration.ts";
import { mountAdminApi } from "./mount-admin-api.ts";
import { mountLedgerApi } from "./mount-ledger-api.ts";
import { ActivePackages } from "./network/active-packages.ts";
import { createRegistration } from "./network/register-member.ts";
import { SequencerConnections } from "./network/sequencer-connections.ts";
import { openIdentity } from "./open-identity.ts";
import { declareParticipantMetrics, openLedgerMetrics } from "./participant-metrics.ts";
import { PartyAllocator } from "./parties/allocate-party.ts";
import { NetworkParties } from "./parties/network-parties.ts";
import { IdentityProviderStore } from "./store/identity-provider-store.ts";
import { LedgerStore } from "./store/ledger-store.ts";
import { findKeptSvs, findSequencerConnections, ParticipantSettings } from "./store/participant-settings.ts";
import { participantStore } from "./store/participant-store.ts";
import { PartyAllocations } from "./store/party-allocations.ts";
import { PartyStore } from "./store/party-store.ts";
import { SubmissionNotes } from "./store/submission-notes.ts";
import { UserStore } from "./store/user-store.ts";
import { CommandSubmitter } from "./submission/command-submitter.ts";
import { Completions } from "./submission/completions.ts";
import { EntrySender } from "./submission/entry-sender.ts";
import { participantKeyLedger } from "./submission/participant-key-ledger.ts";
import { SubmissionMetrics } from "./submission/submission-metrics.ts";
import { makeAdmins } from "./users/make-admins.ts";

export interface ParticipantConfig extends Listening {
  /** Keeps identity and store, unless they are in a database on a server. */
  readonly dataFolder: string;
  /** A PostgreSQL database for identity and store; SQLite in `dataFolder` if omitted. */
  readonly database?: PostgresConfig;
  /** The network's migration: the store belongs to one, and sequencers of others are not followed. Any if omitted. */
  readonly migrationId?: number;
  /** The first start under a new migration: the empty store is filled from that of the migration before. */
  readonly migrating?: boolean;
  /** The database of the migration before; with SQLite it is found in `dataFolder`. */
  readonly previousDatabase?: PostgresConfig;
  /** The first part of the participant's id, fixed by its first start. */
  readonly nodeIdentifier: string;
  /** Identifiers that a participant made by an earlier release may have instead, and keeps. */
  readonly earlierIdentifiers?: readonly string[];
  /** Its name in metrics and in the context of errors; `nodeIdentifier` if omitted. */
  readonly name?: string;
  /** Base URLs of sequencers, until others are set; none: it waits for them. Of n, up to (n − 1) / 3 may be faulty. */
  readonly sequencers: readonly string[];
  /** A port of its own for the admin API; on the ledger API's if omitted. */
  readonly admin?: Listening;
  /** A prefix of the ledger API's paths, for proxies that need one. Paths without it work too. */
  readonly pathPrefix?: string;
  readonly auth: ParticipantAuth;
  /** Limits of token lifetimes, and leeway for clocks. */
  readonly tokenTimes?: TokenTimes;
  /** Users with the right ParticipantAdmin, created if missing. */
  readonly adminUsers: readonly string[];
  readonly log: Log;
  /** The registry of its metrics; none are kept if omitted. */
  readonly metrics?: Metrics;
  /** The machine's own if omitted. */
  readonly system?: Host;
  /** Overrides of the limits of streams. */
  readonly streams?: {
    readonly websockets?: Partial<WebsocketLimits>;
    readonly checkpoints?: CheckpointIntervals;
  };
}

export interface Participant {
  readonly url: string;
  /** Of the admin API: the same, unless it has a port of its own. */
  readonly adminUrl: string;
  readonly participantId: string;
  /** True while the participant follows its network and is up to date. */
  readonly isReady: () => boolean;
  /** The reason why it is not ready, with the remedy; null if it is. */
  readonly missing: () => string | null;
  /** The reason why it will never be ready with its present identity, store and sequencers; null if there is none. */
  readonly failure: () => string | null;
  /** The place that its store has come to. */
  readonly position: () => Promise<StorePosition>;
  /** Copies its embedded store as it is now into a file; not there with a database on a server. */
  readonly copyStore: ((file: string) => Promise<void>) | undefined;
  /** Resolves once it has stored its stream up to this offset; rejects with the signal's reason. */
  readonly reach: (offset: number, signal: AbortSignal) => Promise<void>;
  /** Its signing key, which can be rotated. */
  readonly keys: KeyRotation;
  readonly close: () => Promise<void>;
}

/** Resolves when the participant listens; it becomes ready by itself. */
export async function startParticipant(config: ParticipantConfig): Promise<Participant> {
  const { dataFolder, system = systemHost } = config;
  if (config.database === undefined) system.files.makeFolder(dataFolder);
  const { store, migration } = await openOwnStore(config, {
    ...{ host: system, log: config.log, metrics: metricsOf(config) },
  });
  const stop = new AbortController();
  try {
    const identity = await openIdentity(config, store, system);
    const base = { identity, store, migration, host: system, stopping: stop.signal };
    const node = await assemble(config, base);
    const servers = await serve(config, node, system);
    node.connections.start();
    node.admin.start();
    node.keys.start();
    const following = followLedger(node, stop.signal);
    return {
      url: servers.url,
      adminUrl: servers.adminUrl,
      participantId: identity.id,
      isReady: () => node.missing() === null,
      missing: node.missing,
      failure: () => node.connections.current.consensus.obstacles.lasting?.text ?? null,
      position: () => participantStore.findPosition(store),
      copyStore: store.copyTo,
      reach: async (offset, signal) => {
        if (!(await node.advanced.until(() => node.ledger.end >= offset, { signal }))) throw signal.reason;
      },
      keys: node.keys,
      close: async () => {
        stop.abort();
        await servers.close();
        await node.keys.ended();
        await node.connections.close();
        await node.admin.close();
        await following;
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The ledger API's port, and the admin API's if it has its own. */
async function serve(
  config: ParticipantConfig,
  { api, admin }: { readonly api: MountedApi; readonly admin: { readonly api: MountedApi } },
  system: Host,
) {
  const { log } = config;
  const metrics = metricsOf(config);
  const own = config.admin;
  const main = await startHttpServer({
    ...listeningOf(config),
    mounts: own === undefined ? [api, admin.api] : [api],
    upgrades: serveWebsockets(config.streams?.websockets),
    ...{ log, system, metrics },
  });
  if (own === undefined) return { ...main, adminUrl: main.url };
  try {
    const other = await startHttpServer({ ...own, mounts: [admin.api], log, system, metrics });
    const close = async () => void (await Promise.all([main.close(), other.close()]));
    return { url: main.url, adminUrl: other.url, close };
  } catch (error) {
    await main.close();
    throw error;
  }
}

/** The registry with the labels of the participant. */
function metricsOf({
  metrics,
  nodeIdentifier,
  name = nodeIdentifier,
}: ParticipantConfig): Metrics | undefined {
  return metrics?.labelled({
    ...{ node_type: "participant", node_name: name },
    ...{ component: "participant", node: name },
  });
}

interface Base {
  readonly identity: KeptIdentity;
  readonly store: Store;
  readonly migration: OwnMigration | null;
  readonly host: Host;
  readonly stopping: AbortSignal;
}

/** A migration changes neither the DSO nor the synchronizer's id. */
function expectedNetwork(migration: OwnMigration | null): ExpectedNetwork {
  const { synchronizerId = null, dso = null } = migration?.carriedFrom ?? {};
  return { migrationId: migration?.id ?? null, isKept: migration?.isKept ?? true, synchronizerId, dso };
}

async function assemble(config: ParticipantConfig, base: Base) {
  const { identity, store, migration, host, stopping } = base;
  const { log, streams } = config;
  const metrics = metricsOf(config);
  const ledger = new LedgerStore(store);
  const parties = new PartyStore(store);
  const users = new UserStore(store, host.clock);
  const providers = new IdentityProviderStore(store);
  const settings = new ParticipantSettings(store);
  const { position, network } = await ledger.open();
  const svs = network === null ? null : await findKeptSvs(settings, network.network);
  await makeAdmins(users, config.adminUsers, log);
  const hash = sha256;
  const connections = new SequencerConnections({
    ...{ identity, position, network, svs, hash, host, log },
    expected: expectedNetwork(migration),
    ...((await findSequencerConnections(settings)) ?? { urls: config.sequencers, threshold: null }),
    register: createRegistration({ identity, host, log }),
  });
  const unwritable = checkedRarely(store.unwritable, host.clock);
  const missing = () => connections.current.missing ?? unwritable();
  const completions = new Completions();
  const advanced = new Bell(host.timers);
  const engine = createEngine({ catalogue: networkCatalogue, hash });
  const sender = new EntrySender({
    ...{ connections, identity, host, stopping },
    metrics: metrics && new SubmissionMetrics(metrics),
  });
  const keyLedger = participantKeyLedger({ connections, sender, host });
  const keys = new KeyRotation({ identity, ledger: keyLedger, host, log, stopping });
  const shared = {
    ...{ ledger, parties, users, providers, completions, sender, hash, host, log },
    synchronizerId: () => connections.current.network?.synchronizerId ?? "",
  };
  const services = createTokenServices(config.auth, providers, {
    ...{ host, log, stopping },
    times: config.tokenTimes,
  });
  const submitter = new CommandSubmitter({
    ...shared,
    engine,
    notes: new SubmissionNotes(store, host.timers),
  });
  const authenticate = createAuthenticate({
    ...{ services, users, participantId: identity.id },
    checkRoom: (userId) => submitter.checkRoom(userId),
  });
  const rules = {
    authenticate,
    userOf: ({ userId }: LedgerCaller) => userId,
    isKnown: ({ isAuthenticated }: LedgerCaller) => isAuthenticated,
    admitBody,
    authorize,
    participant: config.name ?? identity.nodeIdentifier,
  };
  const isReady = () => missing() === null;
  if (metrics !== undefined) declareParticipantMetrics({ metrics, connections, ledger, submitter, isReady });
  const ledgerMetrics = metrics && openLedgerMetrics(metrics, connections, { ledger, clock: host.clock });
  const activePackages = new ActivePackages(engine.catalogue, connections);
  const api = mountLedgerApi(
    {
      ...shared,
      ...{ advanced, catalogue: engine.catalogue, participantId: identity.id },
      submitter,
      activePackages: () => activePackages.read(),
      networkParties: new NetworkParties({ identity, parties, connections }),
      allocator: new PartyAllocator({
        ...shared,
        identity,
        allocations: new PartyAllocations(store, parties, users),
      }),
      missing,
      recordTime: () => connections.current.consensus.reports.recordTime,
      intervals: streams?.checkpoints ?? CHECKPOINT_INTERVALS,
      pathPrefix: config.pathPrefix ?? "",
    },
    rules,
  );
  const admin = await mountAdminApi(
    {
      ...{ identity, store, ledger, settings, connections, host, log, stopping },
      migrationId: migration?.id ?? null,
    },
    rules,
  );
  return {
    ...{ api, admin, keys, missing, connections, ledger, store, settings },
    ...{ completions, advanced },
    ...{ host, log, ledgerMetrics },
  };
}
