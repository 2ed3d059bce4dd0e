/** Follows one sequencer's stream, at its own pace and with its own timeouts, until the signal aborts. */
import { HttpError } from "@callsign/api";
import { Backoff, type Bell, type Host, type Log, repeat, sleep } from "@callsign/node";
import type { SequencerConsensus } from "../agreement/sequencer-consensus.ts";
import { EARLY_PAGE_PAUSE_MILLISECONDS, FOLLOW_MILLISECONDS, RECONNECT } from "../limits/limits.ts";
import { MemberUnknown, type SequencerClient } from "./sequencer-client.ts";

export interface FollowerParts {
  readonly client: SequencerClient;
  /** The sequencer's number in its set. */
  readonly source: number;
  readonly consensus: SequencerConsensus;
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
}

export async function followSequencer(parts: FollowerParts): Promise<void> {
  const { source, consensus, host, signal } = parts;
  let isStranger = false;
  await repeat(() => step(parts), {
    backoff: new Backoff({ ...RECONNECT, jitter: host.randomness }),
    timers: host.timers,
    signal,
    onFailure: async (error) => {
      consensus.reports.forget(source);
      // The next step opens a new session.
      if (error instanceof HttpError && error.status === 401) return;
      logFailure(parts, error, isStranger);
      isStranger ||= error instanceof WrongSequencer;
      if (error instanceof MemberUnknown && !consensus.reports.isMember()) await tryToRegister(parts);
    },
  });
}

/** One answer of the sequencer. Throws where the sequencer is to be left alone for a while. */
async function step(parts: FollowerParts): Promise<void> {
  const { client, source, consensus, host, news, reported, signal } = parts;
  const { reports, votes, distrust } = consensus;
  if (!votes.hasVoted(source)) {
    const fault = consensus.hearNetwork(source, await client.getNetwork(signal));
    if (fault !== null) throw new WrongSequencer(fault);
    reported.ring();
  }
  const after = consensus.nextAfter(source);
  if (after === undefined) return news.wait({ milliseconds: RECONNECT.longestMilliseconds, signal });
  // The first request returns at once: it tells the sequencer's position.
  const before = reports.find(source);
  const waitMilliseconds = before === undefined ? 0 : FOLLOW_MILLISECONDS;
  const askedAt = host.clock.elapsedMilliseconds();
  const page = await client.follow(after, waitMilliseconds, signal);
  if (client.sequencer !== votes.sequencerAt(source)) {
    consensus.forget(source);
    throw new Error("another sequencer than before answers there");
  }
  if (consensus.hearPage(source, page)) {
    if (page.items.length > 0) news.ring();
    reported.ring();
  }
  const pause = distrust.pauseOf(source);
  if (pause !== null) {
    await sleep(pause, { timers: host.timers, signal });
    distrust.end(source);
    return;
  }
  if (page.items.some(({ offset }) => offset > after)) return;
  // An empty page comes early when the network's clock has moved.
  const hasMoved = reports.find(source)?.recordTime !== before?.recordTime;
  const rest = waitMilliseconds - (host.clock.elapsedMilliseconds() - askedAt);
  const early = hasMoved ? Math.min(rest, EARLY_PAGE_PAUSE_MILLISECONDS) : rest;
  if (early > 0) await sleep(early, { timers: host.timers, signal });
}

function logFailure({ client, log }: FollowerParts, error: unknown, isKnown: boolean): void {
  const problem = error instanceof Error ? error.message : String(error);
  const level = error instanceof WrongSequencer && !isKnown ? "error" : "debug";
  log[level]({ sequencer: client.url, problem }, "following a sequencer failed");
}

async function tryToRegister({ register, log }: FollowerParts): Promise<void> {
  try {
    await register();
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : "unknown";
    log.error({ reason }, "registration of the participant failed");
  }
}
