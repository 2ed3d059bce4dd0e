/** Questions about the parties of the network, answered as f + 1 sequencers answer them. */
import { decideAgreedParties } from "../agreement/agreed-parties.ts";
import { ANSWER_MILLISECONDS } from "../limits/limits.ts";
import { type AskedSequencer, askTrusted } from "./ask-trusted.ts";
import type { TopologyPage } from "./sequencer-client.ts";

export type TopologyParts = Parameters<typeof askTrusted>[0];

export interface AgreedParties {
  readonly parties: ReadonlySet<string>;
  /** False if some of the sequencers that should have answered did not: parties may be missing. */
  readonly isComplete: boolean;
}

/** A page of the topology; the caller has these parties of it. Null if too few sequencers answer. */
export function listAgreedParties(
  parts: TopologyParts,
  page: TopologyPage,
  known: readonly string[],
): Promise<AgreedParties | null> {
  return agree(parts, async ({ client, signal }) => (await client.listParties(page, known, signal)) ?? known);
}

/** The parties that exist, of those given. Null if too few sequencers answer. */
export function findAgreedParties(
  parts: TopologyParts,
  parties: readonly string[],
): Promise<AgreedParties | null> {
  return agree(parts, ({ client, signal }) => client.findParties(parties, signal));
}

async function agree(
  parts: TopologyParts,
  ask: (asked: AskedSequencer) => Promise<readonly string[]>,
): Promise<AgreedParties | null> {
  const { consensus } = parts;
  const answers = await askTrusted(parts, ANSWER_MILLISECONDS, async (asked) => {
    const answer = await ask(asked);
    // A sequencer has one vote, even with several addresses.
    if (asked.client.sequencer === consensus.votes.sequencerAt(asked.source)) return answer;
    throw new Error("another sequencer than before answers there");
  });
  const { voices } = consensus.quorum;
  if (answers.length < voices) return null;
  const parties = decideAgreedParties(answers, voices);
  return { parties, isComplete: answers.length >= consensus.expectedAnswers };
}
