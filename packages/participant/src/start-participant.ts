/** A participant from its parts: identity, store, connections, routes. The one place that knows them all. */
import { join } from "node:path";
import { type Endpoint, ledgerApi } from "@callsign/api";
import { createEngine, networkCatalogue } from "@callsign/ledger";
import {
  type Incoming,
  type Log,
  loadMemberIdentity,
  type MemberIdentity,
  type MountedApi,
  mountApi,
  SqliteStore,
  type Store,
  serveWebsockets,
  sha256,
  startHttpServer,
  type TokenTimes,
  type WebsocketLimits,
} from "@callsign/node";
import { createAuthenticate } from "./access/authenticate.ts";
import { admitBody, authorize } from "./access/authorize.ts";
import { createTokenServices, type ParticipantAuth } from "./access/token-services.ts";
import { UserQuota } from "./access/user-quota.ts";
import { followLedger } from "./follow-ledger.ts";
import { MAX_WAITING_LISTS_PER_USER } from "./limits/limits.ts";
import { createRegistration } from "./network/register-member.ts";
import { SequencerConnections } from "./network/sequencer-connections.ts";
import { assembleAdmin } from "./participant-admin.ts";
import { PartyAllocator } from "./parties/allocate-party.ts";
import { commandRoutes } from "./routes/command-routes.ts";
import { completionRoutes } from "./routes/completion-routes.ts";
import { contractRoutes } from "./routes/contract-routes.ts";
import { eventQueryRoutes } from "./routes/event-query-routes.ts";
import { externalPartyRoutes } from "./routes/external-party-routes.ts";
import { identityProviderRoutes } from "./routes/identity-provider-routes.ts";
import { interactiveRoutes } from "./routes/interactive-routes.ts";
import { packageRoutes } from "./routes/package-routes.ts";
import { partyRoutes } from "./routes/party-routes.ts";
import { reassignmentRoutes } from "./routes/reassignment-routes.ts";
import { stateRoutes } from "./routes/state-routes.ts";
import { synchronizerRoutes } from "./routes/synchronizer-routes.ts";
import { treeSubmissionRoutes } from "./routes/tree-submission-routes.ts";
import { updateLookupRoutes } from "./routes/update-lookup-routes.ts";
import { updatePageRoutes } from "./routes/update-page-routes.ts";
import { updateRoutes } from "./routes/update-routes.ts";
import { userRoutes } from "./routes/user-routes.ts";
import { versionRoutes } from "./routes/version-routes.ts";
import { vettingRoutes } from "./routes/vetting-routes.ts";
import { IdentityProviderStore } from "./store/identity-provider-store.ts";
import { LedgerStore } from "./store/ledger-store.ts";
import { findSequencerUrls, ParticipantSettings } from "./store/participant-settings.ts";
import { PartyAllocations } from "./store/party-allocations.ts";
import { PartyStore } from "./store/party-store.ts";
import { participantSchema } from "./store/schema.ts";
import { SubmissionNotes } from "./store/submission-notes.ts";
import { UserStore } from "./store/user-store.ts";
import { CHECKPOINT_INTERVALS, type CheckpointIntervals } from "./streams/checkpoint-pace.ts";
import { ledgerStreams } from "./streams/ledger-streams.ts";
import { Completions } from "./submission/completions.ts";
import { EntrySender } from "./submission/entry-sender.ts";
import { Submitter } from "./submission/submitter.ts";
import { makeAdmins } from "./users/make-admins.ts";
import { Bell } from "./waiting/bell.ts";

export interface ParticipantConfig {
  readonly dataFolder: string;
  /** What the participant's id begins with. */
  readonly nodeIdentifier: string;
  /** Base URLs of sequencers, until others are set. Of n, up to (n − 1) / 3 may be faulty. */
  readonly sequencers: readonly string[];
  readonly host: string;
  readonly port: number;
  /** What the ledger API's paths begin with, where a proxy wants that; they answer without it too. */
  readonly pathPrefix?: string;
  readonly auth: ParticipantAuth;
  /** How long tokens may hold, and how far clocks may be off. */
  readonly tokenTimes?: TokenTimes;
  /** Users with the right ParticipantAdmin, made if they are not there. */
  readonly adminUsers: readonly string[];
  readonly log: Log;
  /** How streams are kept, where that is not as usual. */
  readonly streams?: {
    readonly websockets?: Partial<WebsocketLimits>;
    readonly checkpoints?: CheckpointIntervals;
  };
}

export interface Participant {
  readonly url: string;
  readonly participantId: string;
  /** Whether it follows its network and is up to date. */
  readonly isReady: () => boolean;
  readonly close: () => Promise<void>;
}

/** Resolves when it listens; it becomes ready by itself. */
export async function startParticipant(config: ParticipantConfig): Promise<Participant> {
  if (config.sequencers.length === 0)
    throw new Error("a participant needs the URL of at least one sequencer");
  const identity = loadMemberIdentity(config.dataFolder, config.nodeIdentifier);
  const store = new SqliteStore(join(config.dataFolder, "participant.sqlite"), participantSchema);
  const stop = new AbortController();
  try {
    const node = await assemble(config, { identity, store, stopping: stop.signal });
    const server = await startHttpServer({
      host: config.host,
      port: config.port,
      mounts: [node.api, node.admin.api],
      log: config.log,
      upgrades: serveWebsockets(config.streams?.websockets),
    });
    node.connections.start();
    node.admin.start();
    const following = followLedger(node, stop.signal);
    return {
      url: server.url,
      participantId: identity.id,
      isReady: () => node.connections.isReady(),
      close: async () => {
        stop.abort();
        await server.close();
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

interface Base {
  readonly identity: MemberIdentity;
  readonly store: Store;
  readonly stopping: AbortSignal;
}

async function assemble(config: ParticipantConfig, { identity, store, stopping }: Base) {
  const { log } = config;
  const ledger = new LedgerStore(store);
  const parties = new PartyStore(store);
  const users = new UserStore(store);
  const providers = new IdentityProviderStore(store);
  const settings = new ParticipantSettings(store);
  const { position, network } = await ledger.open();
  await makeAdmins(users, config.adminUsers, log);
  const elapsed = () => performance.now();
  const connections = new SequencerConnections({
    urls: (await findSequencerUrls(settings)) ?? config.sequencers,
    identity,
    position,
    network,
    hash: sha256,
    log,
    elapsed,
    register: createRegistration({ identity, log, elapsed }),
  });
  const completions = new Completions();
  const advanced = new Bell();
  const waiting = new UserQuota(MAX_WAITING_LISTS_PER_USER, "waiting lists");
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const { catalogue } = engine;
  const synchronizerId = () => connections.network?.synchronizerId ?? "";
  const recordTime = () => connections.recordTime;
  const sender = new EntrySender({ connections, identity, stopping });
  const shared = {
    ...{ ledger, parties, users, sender, completions, synchronizerId, catalogue },
    ...{ hash: sha256, participantId: identity.id },
  };
  const submitter = new Submitter({ ...shared, notes: new SubmissionNotes(store), engine, log });
  const allocator = new PartyAllocator({
    ...shared,
    identity,
    providers,
    allocations: new PartyAllocations(store, parties, users),
  });
  const handlers = {
    ...versionRoutes({ isReady: () => connections.isReady() }),
    ...partyRoutes({ participantId: identity.id, parties, providers, allocator }),
    ...externalPartyRoutes(),
    ...userRoutes({ users, parties, providers }),
    ...identityProviderRoutes({ providers }),
    ...commandRoutes({ ...shared, submitter }),
    ...completionRoutes({ ...shared, advanced, waiting, recordTime }),
    ...stateRoutes(shared),
    ...synchronizerRoutes(shared),
    ...packageRoutes(shared),
    ...vettingRoutes(shared),
    ...interactiveRoutes(shared),
    ...reassignmentRoutes(shared),
    ...updateRoutes({ ...shared, advanced, waiting, recordTime }),
    ...updateLookupRoutes(shared),
    ...updatePageRoutes(shared),
    ...treeSubmissionRoutes({ ...shared, submitter }),
    ...contractRoutes(shared),
    ...eventQueryRoutes(shared),
  };
  const services = createTokenServices(config.auth, providers, { log, stopping, times: config.tokenTimes });
  const authenticate = createAuthenticate({ services, users, participantId: identity.id });
  const rules = {
    authenticate: (_: Endpoint, incoming: Incoming) => authenticate(incoming),
    admitBody,
    authorize,
    participant: identity.nodeIdentifier,
  };
  const intervals = config.streams?.checkpoints ?? CHECKPOINT_INTERVALS;
  const streamed = { ...shared, providers, advanced, recordTime, intervals };
  const basePath = readPathPrefix(config.pathPrefix ?? "");
  const api: MountedApi = mountApi(
    { ...ledgerApi, basePath },
    { ...rules, handlers, streams: ledgerStreams(streamed) },
  );
  const admin = await assembleAdmin({ store, ledger, settings, connections, log, stopping }, rules);
  return { api, admin, connections, ledger, completions, advanced, log };
}

/** With or without a slash before it; one behind it is overlooked. */
function readPathPrefix(given: string): "" | `/${string}` {
  const path = given.replace(/^\/+|\/+$/g, "");
  if (path === "") return "";
  if (/^[A-Za-z0-9._~/-]+$/.test(path)) return `/${path}`;
  throw new Error(`the path prefix ${given} has other signs than letters, digits, . _ ~ - and /`);
}
