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
  type Metrics,
  type MountedApi,
  mountApi,
  Refusal,
  type SignatureChecks,
  StoreUnwritable,
} from "@callsign/node";
import type { Replica } from "../replica/replica.ts";
import type { MemberStreams } from "../streams/member-streams.ts";
import { StreamFollower, TooManyFollowers } from "../streams/stream-follower.ts";
import { Admission, EntryRefused } from "./admission.ts";
import { MalformedEnvelope, type Sequencer, SequencerOverloaded } from "./sequencer.ts";
import { Sessions } from "./sessions.ts";

export interface SequencerParts {
  /** The member id of the SV whose sequencer this is. */
  readonly sequencerId: string;
  readonly replica: Replica;
  readonly streams: MemberStreams;
  readonly sequencer: Sequencer;
  readonly hash: Hash;
  readonly checks: SignatureChecks;
  /** The clock of the stamps. */
  readonly clock: () => Time;
  readonly health: HealthParts;
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
    submit: (envelope) => sequencer.submit(envelope),
    reach: (sequence, signal) => replica.reach(sequence, signal),
  });
  const follower = new StreamFollower(replica, streams, host);
  parts.metrics?.declare(
    gauge("daml_sequencer_public_api_subscriptions", "Members' calls that wait for news of their streams."),
    () => follower.waiting,
  );
  const times = () => ({
    recordTime: formatTime(state.head.recordTime),
    now: formatTime(networkTime(parts)),
  });
  const mount = mountApi(sequencerApi, {
    authenticate: ({ auth }, { authorization }) => {
      if (auth !== "member") return null;
      const member = sessions.find(/^Bearer (\S+)$/i.exec(authorization ?? "")?.[1] ?? "");
      if (member !== null) return member;
      throw new Refusal(spliceError(401, "No open session has that token: sign a challenge to open one"));
    },
    authorize: (_endpoint, _request, member) => member,
    callsNobody: true,
    rejectionOf,
    handlers: {
      getNetwork: () => ({
        ...describe(needNetwork(state.network)),
        sequencer: parts.sequencerId,
        sequence: state.head.sequence,
        digest: state.head.digest,
        ...times(),
      }),
      findMember: ({ params }) => {
        const found = state.findMember(params.member);
        if (found === undefined) return { registered: null };
        const { id: member, signingKeys, keySerial } = found;
        return { registered: { member, signingKeys: [...signingKeys], keySerial: Number(keySerial) } };
      },
      askChallenge: ({ body }) => ({ challenge: sessions.challenge(body.member) }),
      openSession: ({ body }) => {
        const session = sessions.open(body);
        if (session === null) {
          // The owner of a replaced identity file must learn it: registering again would not help.
          const isOtherKey = sessions.hasKey(body.member, body.publicKey) === false;
          throw new Refusal(
            isOtherKey
              ? spliceError(403, `${JSON.stringify(body.member)} is registered with other keys than this one`)
              : spliceError(401, refusedProof(body.member)),
          );
        }
        parts.metrics?.count(HANDSHAKES, { member: formatParticipantId(body.member) }).add();
        return {
          token: session.token,
          expiresAt: formatTime(timeFromMicros(BigInt(session.expiresAt) * 1000n)),
        };
      },
      submit: async ({ body }) => ({ sequence: await admission.take(body) }),
      follow: async ({ query }, { caller, signal }) => {
        const member = caller ?? "";
        const { after, limit, waitMs: waitMilliseconds } = query;
        const items = await follower.follow({
          member,
          after: Number(after),
          limit,
          waitMilliseconds,
          signal,
        });
        return { items: [...items], end: streams.end(member).offset, ...times() };
      },
      listTopologyParties: ({ query }) => {
        const limit = Math.min(Math.max(query.limit, 1), MAX_TOPOLOGY_PARTIES);
        const parties = state.listParties({ ...query, limit });
        return { parties: parts.hash(partyPageText(parties)) === query.known ? null : [...parties] };
      },
      findTopologyParties: ({ body }) => ({
        parties: body.parties.filter((party) => state.findHosting(party as PartyId) !== undefined),
      }),
      ...health(parts.health),
    },
  });
  return { mount, close: () => follower.close() };
}

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
  if (error instanceof StoreUnwritable) return spliceError(503, LOG_UNWRITABLE);
  return error instanceof MalformedEnvelope ? spliceError(400, error.message) : null;
}
