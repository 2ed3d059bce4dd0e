/** One question to all sequencers that are trusted. */
import { Bell, type Host, startDeadline } from "@callsign/node";
import type { SequencerConsensus } from "../agreement/sequencer-consensus.ts";
import type { SequencerClient } from "./sequencer-client.ts";

interface AskParts {
  readonly clients: readonly SequencerClient[];
  readonly consensus: SequencerConsensus;
  readonly host: Host;
  readonly signal: AbortSignal;
}

export interface AskedSequencer {
  readonly client: SequencerClient;
  /** The sequencer's number in its set. */
  readonly source: number;
  readonly signal: AbortSignal;
}

/** Resolves with the answers when there are enough of them, when no more can come, or at the deadline. */
export async function askTrusted<T>(
  { clients, consensus, host, signal }: AskParts,
  milliseconds: number,
  ask: (asked: AskedSequencer) => Promise<T>,
): Promise<readonly T[]> {
  const deadline = startDeadline(milliseconds, { ...host, signals: [signal] });
  const changed = new Bell(host.timers);
  const enough = consensus.expectedAnswers;
  const answers: T[] = [];
  let waiting = 0;
  for (const [source, client] of clients.entries()) {
    if (consensus.distrust.has(source) || !consensus.votes.hasVoted(source)) continue;
    waiting++;
    ask({ client, source, signal: deadline.signal })
      .then((answer) => void answers.push(answer))
      .catch(() => undefined)
      .finally(() => {
        waiting--;
        changed.ring();
      });
  }
  await changed.until(() => answers.length >= enough || waiting === 0, { signal: deadline.signal });
  return [...answers];
}
