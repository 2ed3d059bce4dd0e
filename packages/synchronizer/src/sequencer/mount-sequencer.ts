/** The sequencer's API over a replica: members prove their key, submit, follow. */
import {
  LOG_UNWRITABLE,
  MAX_TOPOLOGY_PARTIES,
  partyPageText,
  type Rejection,
  sequencerApi,
  spliceError,
} from "@callsign/api";
import {
  formatParticipantId,
  formatTime,
  type Hash,
  type Network,
  type PartyId,
  type Time,
  timeFromMicros,
} from "@callsign/ledger";
import {
  counter,
  gauge,
  type HealthParts,
  type Host,
  health,
  type MemberIdentity,
  type Metrics,
  type MountedApi,
  mountApi,
  Refusal,
  type SignatureChecks,
  StoreUnwritable,
} from "@callsign/node";
import type { OrderedLog } from "../log/ordered-log.ts";
import type { Replica } from "../replica/replica.ts";
import { MemberState } from "../streams/member-state.ts";
import { type MemberStreams, StreamPruned } from "../streams/member-streams.ts";
import { StreamFollower, TooManyFollowers } from "../streams/stream-follower.ts";
import { Admission, EntryRefused } from "./admission.ts";
import { FirstEntry } from "./first-entry.ts";
import { memberStateAnswers } from "./member-state-answers.ts";
import { type PeerRouteParts, peerRoutes } from "./peer-routes.ts";
import { sealed } from "./sealed-answer.ts";
import { MalformedEnvelope, type Sequencer, SequencerOverloaded } from "./sequencer.ts";
import { type Proof, Sessions } from "./sessions.ts";
import { snapshotRoutes } from "./snapshot-routes.ts";
import { ClockNotBacked } from "./stamp-clock.ts";
import { makeStreamAnswers } from "./stream-answers.ts";
import { listSvChanges } from "./sv-changes.ts";

export interface SequencerParts {
  /** Of the SV whose sequencer this is. */
  readonly identity: MemberIdentity;
  readonly log: OrderedLog;
  readonly replica: Replica;
  readonly streams: MemberStreams;
  readonly sequencer: Sequencer;
  readonly hash: Hash;
  readonly checks: SignatureChecks;
  /** The clock of the stamps. */
  readonly clock: () => Time;
  /** For the other SVs. */
  readonly peers: PeerRouteParts;
  readonly health: HealthParts;
  /** The reason why it takes no entries of members; null, or omitted, if there is none. */
  readonly refusal?: () => string | null;
  readonly host: Host;
  /** The registry of its metrics; none are kept if omitted. */
  readonly metrics?: Metrics | undefined;
}

const HANDSHAKES = counter("daml_sequencer_public_api_handshakes_total", "Sessions that members opened.");

export function mountSequencer(parts: SequencerParts): {
  readonly mount: MountedApi;
  readonly close: () => void;
} {
  const { replica, streams, sequencer, host } = parts;
  const { state } = replica;
  const sessions = new Sessions({ ...parts, view: state, verify: parts.checks.verify });
  const admission = new Admission({
    ...parts,
    view: state,
    now: () => networkTime(parts),
    checkClock: () => sequencer.checkClock(),
    submit: (envelope) => sequencer.submit(envelope),
    reach: (sequence, signal) => replica.reach(sequence, signal),
  });
  const firstEntry = new FirstEntry(parts);
  const memberState = memberStateAnswers(new MemberState(state.database, state), streams);
  const follower = new StreamFollower(replica, streams, host);
  parts.metrics?.declare(
    gauge("daml_sequencer_public_api_subscriptions", "Members' calls that wait for news of their streams."),
    () => follower.waiting,
  );
  const times = () => ({
    recordTime: formatTime(state.head.recordTime),
    now: formatTime(networkTime(parts)),
  });
  const streamAnswers = makeStreamAnswers({ follower, streams, state, times });
  const mount = mountApi(sequencerApi, {
    authenticate: ({ auth }, { authorization }) => {
      if (auth !== "member") return null;
      const session = sessions.find(/^Bearer (\S+)$/i.exec(authorization ?? "")?.[1] ?? "");
      if (session !== null) return session;
      throw new Refusal(spliceError(401, "No open session has that token: sign a challenge to open one"));
    },
    userOf: (session) => session?.member ?? null,
    authorize: (_endpoint, _request, session) => session,
    callsNobody: true,
    channelled: [sequencerApi.endpoints.follow],
    rejectionOf,
    handlers: {
      getNetwork: () => ({
        ...describe(needNetwork(state.network)),
        sequencer: parts.identity.id,
        sequence: state.head.sequence,
        digest: state.head.digest,
        ...times(),
      }),
      getBeginning: async (_, { signal }) => {
        const beginning = await firstEntry.find(needNetwork(state.network).id, signal);
        if (beginning === null) throw new Refusal(spliceError(503, NO_BEGINNING));
        return { content: beginning.content, recordTime: formatTime(beginning.time) };
      },
      listSvChanges: ({ query }) => ({ changes: listSvChanges(state, query.after) }),
      findMember: ({ params }) => {
        const found = state.findMember(params.member);
        if (found === undefined) return { registered: null };
        const { id: member, signingKeys, keySerial } = found;
        return { registered: { member, signingKeys: [...signingKeys], keySerial: Number(keySerial) } };
      },
      askChallenge: ({ body }) => {
        needNetwork(state.network);
        const challenge = sessions.challenge(body);
        if (challenge !== null) return challenge;
        throw new Refusal(spliceError(400, `${body.sessionKey} is no X25519 key: make a new one`));
      },
      openSession: ({ body }) => openSession(parts, sessions, body),
      submit: async ({ body }) => {
        refuse(parts.refusal?.() ?? null);
        return { sequence: await admission.take(body) };
      },
      follow: ({ query }, { caller, signal }) => streamAnswers.follow(query, caller, signal),
      listTopologyParties: ({ query }, { caller }) => {
        const { after, prefix, known } = query;
        const limit = Math.min(Math.max(query.limit, 1), MAX_TOPOLOGY_PARTIES);
        const parties = state.listParties({ ...query, limit });
        const isKnown = parts.hash(partyPageText(parties)) === known;
        const asked = ["listTopologyParties", after, prefix, query.limit, known] as const;
        return sealed(caller, asked, { parties: isKnown ? null : [...parties] });
      },
      findTopologyParties: ({ body }, { caller }) => {
        const parties = body.parties.filter((party) => state.findHosting(party as PartyId) !== undefined);
        return sealed(caller, ["findTopologyParties", ...body.parties], { parties });
      },
      listHostedParties: ({ query }, { caller }) => memberState.listHostedParties(query.after, caller),
      listHeldContracts: ({ query }, { caller }) => memberState.listHeldContracts(query.after, caller),
      ...peerRoutes(parts.peers),
      ...snapshotRoutes(parts.peers),
      ...health(parts.health),
    },
  });
  return { mount, close: () => follower.close() };
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new Refusal(spliceError(503, `The entry is not taken: ${reason}`));
}

function openSession({ metrics }: SequencerParts, sessions: Sessions, proof: Proof) {
  const { member, publicKey } = proof;
  const session = sessions.open(proof);
  if (session === null) {
    // The owner of a replaced identity file must learn it: registering again would not help.
    const isOtherKey = sessions.hasKey(member, publicKey) === false;
    throw new Refusal(
      isOtherKey
        ? spliceError(403, `${JSON.stringify(member)} is registered with other keys than this one`)
        : spliceError(401, refusedProof(member)),
    );
  }
  metrics?.count(HANDSHAKES, { member: formatParticipantId(member) }).add();
  const { token, expiresAt } = session;
  return { token, expiresAt: formatTime(timeFromMicros(BigInt(expiresAt) * 1000n)) };
}

const NO_BEGINNING = "The log no longer has the network's first entry: ask another SV's sequencer for it";

/** The record time of an entry appended now. */
export function networkTime({ replica, clock }: Pick<SequencerParts, "replica" | "clock">): Time {
  const { head, network } = replica.state;
  const stamped = clock() + (network?.clockOffset ?? 0n);
  return timeFromMicros(stamped > head.recordTime ? stamped : head.recordTime + 1n);
}

function needNetwork(network: Network | null): Network {
  if (network !== null) return network;
  throw new Refusal(spliceError(503, "The network is not founded yet: try again in a second"));
}

function describe(network: Network) {
  const { id, dso, synchronizerId, acronym, migrationId, protocolVersion, movableClock, svs } = network;
  return {
    ...{ network: id, dso, synchronizerId, acronym },
    migrationId: Number(migrationId),
    protocolVersion: Number(protocolVersion),
    movableClock,
    svs: [...svs],
  };
}

function refusedProof(member: string): string {
  return (
    `The proof of ${JSON.stringify(member)} does not hold: ask for a challenge, and sign it ` +
    "within a minute with a key of the registered member"
  );
}

function rejectionOf(error: unknown): Rejection | null {
  if (error instanceof EntryRefused)
    return spliceError(error.isBusy ? 429 : 403, `The entry is not taken: ${error.message}`);
  if (error instanceof SequencerOverloaded || error instanceof TooManyFollowers)
    return spliceError(429, error.message);
  if (error instanceof StreamPruned)
    return spliceError(
      410,
      `The stream cannot be followed from there: ${error.message}. Restore a newer back-up of the participant, or have it load ` +
        "the present state of its parties with callsign store resync",
    );
  if (error instanceof ClockNotBacked) return spliceError(503, `The entry is not taken: ${error.message}`);
  if (error instanceof StoreUnwritable) return spliceError(503, LOG_UNWRITABLE);
  return error instanceof MalformedEnvelope ? spliceError(400, error.message) : null;
}
