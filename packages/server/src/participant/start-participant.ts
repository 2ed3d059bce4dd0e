/** A participant from its parts: identity, store, connections, routes. The one place that knows them all. */
import { join } from "node:path";
import { ledgerApi } from "@callsign/api";
import { createEngine, networkCatalogue } from "@callsign/ledger";
import { createTokenVerifier, type TokenVerifierConfig } from "../auth/token-verifier.ts";
import { SqliteStore } from "../database/sqlite-store.ts";
import type { Store } from "../database/store.ts";
import { startHttpServer } from "../http/http-server.ts";
import { type MountedApi, mountApi } from "../http/mount-api.ts";
import { sha256 } from "../identity/keys.ts";
import { loadMemberIdentity, type MemberIdentity } from "../identity/member-identity.ts";
import type { Log } from "../observability/log.ts";
import { createAuthenticate } from "./access/authenticate.ts";
import { authorize } from "./access/authorize.ts";
import { UserQuota } from "./access/user-quota.ts";
import { Bell } from "./bell.ts";
import { followLedger } from "./follow-ledger.ts";
import { createRegistration } from "./network/register-member.ts";
import { SequencerConnections } from "./network/sequencer-connections.ts";
import { PartyAllocator } from "./parties/allocate-party.ts";
import { commandRoutes } from "./routes/command-routes.ts";
import { completionRoutes } from "./routes/completion-routes.ts";
import { eventQueryRoutes } from "./routes/event-query-routes.ts";
import { identityProviderRoutes } from "./routes/identity-provider-routes.ts";
import { MAX_WAITING_PER_USER } from "./routes/list-and-wait.ts";
import { packageRoutes } from "./routes/package-routes.ts";
import { partyRoutes } from "./routes/party-routes.ts";
import { stateRoutes } from "./routes/state-routes.ts";
import { synchronizerRoutes } from "./routes/synchronizer-routes.ts";
import { updateRoutes } from "./routes/update-routes.ts";
import { userRoutes } from "./routes/user-routes.ts";
import { versionRoutes } from "./routes/version-routes.ts";
import { IdentityProviderStore } from "./store/identity-provider-store.ts";
import { LedgerStore } from "./store/ledger-store.ts";
import { PartyAllocations } from "./store/party-allocations.ts";
import { PartyStore } from "./store/party-store.ts";
import { participantSchema } from "./store/schema.ts";
import { SubmissionNotes } from "./store/submission-notes.ts";
import { UserStore } from "./store/user-store.ts";
import { Completions } from "./submission/completions.ts";
import { EntrySender } from "./submission/entry-sender.ts";
import { Submitter } from "./submission/submitter.ts";

/** How callers prove who they are; `none`: nobody has to, and everybody may do everything. */
export type ParticipantAuth = TokenVerifierConfig | { readonly kind: "none" };

export interface ParticipantConfig {
  readonly dataFolder: string;
  /** What the participant's id begins with. */
  readonly nodeIdentifier: string;
  /** Base URLs of sequencers. Of n, up to (n − 1) / 3 may be faulty. */
  readonly sequencers: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly auth: ParticipantAuth;
  /** Users with the right ParticipantAdmin, made if they are not there. */
  readonly adminUsers: readonly string[];
  readonly log: Log;
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
      mounts: [node.api],
      log: config.log,
    });
    node.connections.start();
    const following = followLedger(node, stop.signal);
    return {
      url: server.url,
      participantId: identity.id,
      isReady: () => node.connections.isReady(),
      close: async () => {
        stop.abort();
        await server.close();
        await node.connections.close();
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
  const { position, network } = await ledger.open();
  for (const user of config.adminUsers) await makeAdmin(users, user);
  const elapsed = () => performance.now();
  const connections = new SequencerConnections({
    urls: config.sequencers,
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
  const waiting = new UserQuota(MAX_WAITING_PER_USER, "waiting lists");
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const { catalogue } = engine;
  const synchronizerId = () => connections.network?.synchronizerId ?? "";
  const recordTime = () => connections.recordTime;
  const sender = new EntrySender({ connections, identity, stopping });
  const shared = { ledger, parties, users, sender, completions, synchronizerId, catalogue, hash: sha256 };
  const submitter = new Submitter({ ...shared, notes: new SubmissionNotes(store), engine, log });
  const allocator = new PartyAllocator({
    ...shared,
    identity,
    allocations: new PartyAllocations(store, parties, users),
  });
  const handlers = {
    ...versionRoutes({ isReady: () => connections.isReady() }),
    ...partyRoutes({ participantId: identity.id, parties, allocator }),
    ...userRoutes({ users }),
    ...identityProviderRoutes({ providers }),
    ...commandRoutes({ ...shared, submitter }),
    ...completionRoutes({ ...shared, advanced, waiting, recordTime }),
    ...stateRoutes(shared),
    ...synchronizerRoutes({ ...shared, participantId: identity.id }),
    ...packageRoutes(shared),
    ...updateRoutes({ ...shared, participantId: identity.id, advanced, waiting, recordTime }),
    ...eventQueryRoutes(shared),
  };
  const verify = config.auth.kind === "none" ? null : createTokenVerifier(config.auth);
  const authenticate = createAuthenticate({ verify, users });
  const api: MountedApi = mountApi(ledgerApi, {
    handlers,
    authenticate: (_, incoming) => authenticate(incoming),
    authorize,
  });
  return { api, connections, ledger, completions, advanced, log };
}

async function makeAdmin(users: UserStore, id: string): Promise<void> {
  const right = { kind: "ParticipantAdmin", party: "" } as const;
  const user = {
    id,
    primaryParty: "",
    isDeactivated: false,
    identityProviderId: "",
    primaryPartyAuthentication: false,
    resourceVersion: 0n,
    annotations: {},
  };
  if (!(await users.create(user, [right]))) await users.grant(id, [right]);
}
