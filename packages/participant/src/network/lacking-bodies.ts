/**
 * Bodies are asked of one sequencer, the lead. An item whose digest a quorum has and whose body does not arrive is asked of
 * the others that have it, one after the other: a lead that is slow, lies or is gone delays an item by a moment, and the
 * sequencer that delivers the body leads from then on.
 */
import { Backoff, type Bell, type Host, type Log, repeat } from "@callsign/node";
import type { SequencerConsensus } from "../agreement/sequencer-consensus.ts";
import { BODY_PATIENCE_MILLISECONDS, HEDGE_MILLISECONDS, RECONNECT } from "../limits/limits.ts";
import type { SequencerClient } from "./sequencer-client.ts";
import { hearPage } from "./sequencer-follower.ts";

interface LackingBodiesParts {
  readonly clients: readonly SequencerClient[];
  readonly consensus: SequencerConsensus;
  readonly host: Host;
  readonly log: Log;
  readonly news: Bell;
  /** Rings when a page was heard, and when agreed items were stored. */
  readonly reported: Bell;
  readonly signal: AbortSignal;
}

/** Resolves once the signal aborts. */
export async function fetchLackingBodies(parts: LackingBodiesParts): Promise<void> {
  const { consensus, host, log, reported, signal } = parts;
  const asking = new Set<Promise<void>>();
  const step = async () => {
    await reported.until(() => consensus.lackingBody !== null, { signal });
    const lacking = consensus.lackingBody;
    if (lacking === null) return;
    const isOver = () => consensus.lackingBody?.offset !== lacking.offset;
    const milliseconds = consensus.isLeadAwaited ? BODY_PATIENCE_MILLISECONDS : 0;
    if (await reported.until(isOver, { milliseconds, signal })) return;
    for (const source of lacking.holders) {
      const asked = ask(parts, source).finally(() => asking.delete(asked));
      asking.add(asked);
      await Promise.race([asked, reported.until(isOver, { milliseconds: HEDGE_MILLISECONDS, signal })]);
      if (isOver() || signal.aborted) return;
    }
    throw new Error(`no sequencer delivers the body of item ${lacking.offset}`);
  };
  const backoff = new Backoff({ ...RECONNECT, jitter: host.randomness });
  const onFailure = (error: unknown) => log.debug({ reason: String(error) }, "fetching a body failed");
  await repeat(step, { backoff, timers: host.timers, signal, onFailure });
  await Promise.all(asking);
}

async function ask(parts: LackingBodiesParts, source: number): Promise<void> {
  const { clients, consensus, log, signal } = parts;
  const client = clients[source];
  if (client === undefined) return;
  try {
    const after = consensus.position.offset;
    const page = await client.follow({ after, waitMs: 0, bodies: true }, signal);
    if (hearPage({ ...parts, client, source }, after, page) && page.items.length > 0) consensus.lead(source);
  } catch (error) {
    log.debug({ sequencer: client.url, reason: String(error) }, "a sequencer did not deliver a body");
  }
}
