/** Follows one sequencer's stream, at its own pace and with its own timeouts, until the signal aborts. */
import { HttpError, type NetworkState, type StreamPage } from "@callsign/api";
import { type Hash, readBeginning, type Verify } from "@callsign/ledger";
import { Backoff, type Bell, findOtherRole, type Host, type Log, repeat, sleep } from "@callsign/node";
import type { NetworkObstacle, ServedSvs } from "../agreement/network-votes.ts";
import type { Obstacle } from "../agreement/obstacles.ts";
import { readTime, type SequencerConsensus } from "../agreement/sequencer-consensus.ts";
import { EARLY_PAGE_PAUSE_MILLISECONDS, FOLLOW_MILLISECONDS, RECONNECT } from "../limits/limits.ts";
import { followSvChanges } from "./follow-sv-changes.ts";
import { KeyUnknown, MemberUnknown, type SequencerClient, UnprovenSequencer } from "./sequencer-client.ts";

export interface FollowerParts {
  readonly client: SequencerClient;
  /** The sequencer's number in its set. */
  readonly source: number;
  readonly consensus: SequencerConsensus;
  readonly hash: Hash;
  readonly verify: Verify;
  readonly host: Host;
  readonly log: Log;
  /** Rings when there may be more items to take. */
  readonly news: Bell;
  /** Rings when a sequencer has reported its position. */
  readonly reported: Bell;
  /** Called when the sequencer does not know the member. */
  readonly register: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** The sequencer serves another network, or is connected by another address already. */
class WrongSequencer extends Error {
  override readonly name = "WrongSequencer";
  readonly obstacle: NetworkObstacle | null;

  constructor(fault: string, obstacle: NetworkObstacle | null) {
    super(fault);
    this.obstacle = obstacle;
  }
}

const REMEDIES: Readonly<Record<NetworkObstacle, string>> = {
  "other-network":
    "Configure the sequencers of that network; a participant joins another network with a data folder of its own",
  "other-migration":
    "If the network was migrated, restart this participant with the network's migration.id and with " +
    "migration.migrating: true; if the SVs are behind, it goes on by itself once they are migrated",
  "not-carried-over":
    "Restart this participant with migration.migrating: true, which carries the store over, on a server into a database " +
    "of its own; if the network was founded anew, start a new participant with another data folder",
};

export async function followSequencer(parts: FollowerParts): Promise<void> {
  const { source, consensus, host, signal } = parts;
  let isStranger = false;
  await repeat(() => step(parts), {
    backoff: new Backoff({ ...RECONNECT, jitter: host.randomness }),
    timers: host.timers,
    signal,
    onFailure: async (error) => {
      consensus.leave(source);
      // The next step opens a new session.
      if (error instanceof HttpError && error.status === 401) return;
      consensus.obstacles.note(source, await findObstacle(parts, error));
      logFailure(parts, error, isStranger);
      isStranger ||= isWrong(error);
      if (error instanceof MemberUnknown && !consensus.reports.isMember()) await tryToRegister(parts);
    },
  });
}

/** One answer of the sequencer. Throws where the sequencer is to be left alone for a while. */
async function step(parts: FollowerParts): Promise<void> {
  const { client, source, consensus, host, news, reported, signal } = parts;
  const { reports, votes, distrust } = consensus;
  if (!votes.hasVoted(source)) {
    const state = await client.identify(signal);
    const obstacle = votes.obstacleOf(state);
    const begun = obstacle === null ? await findBegun(parts, state) : null;
    const fault = consensus.hearNetwork(source, state, begun);
    if (fault !== null) throw new WrongSequencer(fault, votes.obstacleOf(state));
    reported.ring();
  }
  const request = consensus.nextRequest(source);
  if (request === undefined) return news.wait({ milliseconds: RECONNECT.longestMilliseconds, signal });
  // The first request returns at once: it tells the sequencer's position.
  const before = reports.find(source);
  const waitMs = before === undefined ? 0 : FOLLOW_MILLISECONDS;
  const askedAt = host.clock.elapsedMilliseconds();
  const page = await client.follow({ ...request, waitMs }, signal);
  if (hearPage(parts, request.after, page)) {
    const { svs } = votes;
    if (svs !== null && BigInt(page.svSerial ?? 0) > svs.svSerial) await followChanges(parts, svs);
  } else if (!distrust.has(source)) {
    // It does not have the position to resume from. The network may have gone on in another log: it is asked again.
    consensus.forget(source);
    return sleep(RECONNECT.longestMilliseconds, { timers: host.timers, signal });
  }
  const pause = distrust.pauseOf(source);
  if (pause !== null) {
    await sleep(pause, { timers: host.timers, signal });
    distrust.end(source);
    return;
  }
  if (page.items.some(({ offset }) => offset > request.after)) return;
  // An empty page comes early when the network's clock has moved.
  const hasMoved = reports.find(source)?.recordTime !== before?.recordTime;
  const rest = waitMs - (host.clock.elapsedMilliseconds() - askedAt);
  const early = hasMoved ? Math.min(rest, EARLY_PAGE_PAUSE_MILLISECONDS) : rest;
  if (early > 0) await sleep(early, { timers: host.timers, signal });
}

/** Returns false if the page contradicts the stream that is agreed on. Throws if another sequencer than before answers. */
export function hearPage(
  given: Pick<FollowerParts, "client" | "source" | "consensus" | "news" | "reported">,
  after: number,
  page: StreamPage,
): boolean {
  const { client, source, consensus, news, reported } = given;
  if (client.sequencer !== consensus.votes.sequencerAt(source)) {
    consensus.forget(source);
    throw new Error("another sequencer than before answers there");
  }
  if (!consensus.hearPage(source, after, page)) return false;
  if (page.items.length > 0) news.ring();
  reported.ring();
  return true;
}

/** The network with its present SVs; null if the sequencer does not hand out its first entry. */
async function findBegun(parts: FollowerParts, state: NetworkState): Promise<ServedSvs | null> {
  const known = await findFirst(parts, state);
  return known === null ? null : followChanges(parts, known);
}

/** A sequencer's count of changes proves nothing: a change counts if the SVs before attested it. */
async function followChanges(parts: FollowerParts, known: ServedSvs): Promise<ServedSvs> {
  const { client, consensus, log, news } = parts;
  const changed = await followSvChanges(client, known, parts);
  const { id, svs, svSerial } = changed;
  // Another sequencer's follower may have heard of it in the meantime.
  if (svSerial <= (consensus.votes.findBegun(id) ?? known).svSerial) return changed;
  consensus.hearSvs(changed);
  log.info({ svs, changes: Number(svSerial) }, "the network's SVs have changed");
  news.ring();
  return changed;
}

/** The network's first entry never changes: one that hashes to the network's id is asked for once. */
async function findFirst(
  { client, consensus, hash, signal }: FollowerParts,
  { network }: NetworkState,
): Promise<ServedSvs | null> {
  const known = consensus.votes.findBegun(network);
  if (known !== null) return known;
  try {
    const { content, recordTime } = await client.getBeginning(signal);
    const begun = readBeginning(hash, { content, time: readTime(recordTime) });
    return begun?.id === network ? { ...begun, svSerial: 0n } : null;
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 404)) throw error;
    throw new Error(
      "it runs an earlier release, which does not hand out the network's first entry: update it",
      {
        cause: error,
      },
    );
  }
}

async function findObstacle(
  { client, consensus, host, signal }: FollowerParts,
  error: unknown,
): Promise<Obstacle> {
  const { id, signingKey } = client.identity;
  const { offset } = consensus.position;
  if (error instanceof WrongSequencer && error.obstacle !== null)
    return { kind: error.obstacle, text: `${client.url}: ${error.message}. ${REMEDIES[error.obstacle]}` };
  if (error instanceof KeyUnknown)
    return {
      kind: "other-key",
      text:
        `the network has registered ${id} with another signing key than ${signingKey.publicKey.slice(0, 16)}… of ` +
        "identity.json: restore the identity.json with which this participant was registered, or have the network " +
        "replace its keys with callsign keys rotate --replace-unknown, or start a new participant with another data folder",
    };
  if (error instanceof MemberUnknown)
    return {
      kind: "not-registered",
      text:
        offset === 0
          ? `${id} is not registered with the network yet; its registration is under way`
          : `the network does not know ${id}, though the store has its stream up to offset ${offset}. ` +
            "Sequencers that have just started may still be catching up; otherwise the network was founded anew or lost " +
            "its log. Restore the network's log, or start a new participant with another data folder",
    };
  if (error instanceof HttpError && error.status === 410) return prunedObstacle(client.url, offset);
  const isUnknownPath = error instanceof HttpError && error.status === 404;
  const role = isUnknownPath
    ? await findOtherRole({ url: client.url, role: "sequencer" }, host, { signal })
    : null;
  if (role !== null)
    return { kind: "silent", text: `at ${client.url} ${role} answers: give the address of a sequencer` };
  const problem = error instanceof Error ? error.message : String(error);
  return { kind: "silent", text: `${client.url} cannot be followed: ${problem}` };
}

function prunedObstacle(url: string, offset: number): Obstacle {
  if (offset === 0)
    return {
      kind: "state-needed",
      text: `${url} has pruned the beginning of this participant's stream: the active contracts of its parties are loaded`,
    };
  return {
    kind: "stream-pruned",
    text:
      `the store stands at offset ${offset} of this participant's stream, and the sequencers have pruned items behind it. ` +
      "Restore a newer back-up of the participant. If there is none, stop it and give its history up with callsign store " +
      "resync: it then loads the active contracts of its parties from the SVs, and goes on",
  };
}

function logFailure({ client, log }: FollowerParts, error: unknown, isKnown: boolean): void {
  const problem = error instanceof Error ? error.message : String(error);
  const level = isWrong(error) && !isKnown ? "error" : "debug";
  log[level]({ sequencer: client.url, problem }, "following a sequencer failed");
}

function isWrong(error: unknown): boolean {
  return error instanceof WrongSequencer || error instanceof UnprovenSequencer;
}

async function tryToRegister({ register, log }: FollowerParts): Promise<void> {
  try {
    await register();
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : "unknown";
    log.error({ reason }, "registration of the participant failed");
  }
}
