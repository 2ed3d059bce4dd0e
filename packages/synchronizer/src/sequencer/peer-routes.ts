/** The operations of a sequencer that are for the other SVs. */
import {
  type CopyQuestion,
  copyQuestionMessage,
  MAX_FOLLOW_MILLISECONDS,
  type SignedHead,
  spliceError,
  type TickQuestion,
  tickMessage,
} from "@callsign/api";
import { Refusal, StoreUnwritable, startDeadline, type Timers } from "@callsign/node";
import { MAX_WAITING_PEERS } from "../limits/limits.ts";
import { LogTrimmed } from "../log/ordered-log.ts";
import type { OwnPeer } from "../peers/own-peer.ts";
import type { SvSignatureHolds } from "../peers/sv-signatures.ts";
import type { AppliedHead, AppliedHeads } from "../replica/applied-heads.ts";
import type { SnapshotSource } from "../snapshots/snapshot-file.ts";

export interface PeerRouteParts {
  readonly peer: OwnPeer;
  readonly heads: AppliedHeads;
  /** The network's id; null before the founding. */
  readonly network: () => string | null;
  readonly holds: SvSignatureHolds;
  readonly timers: Timers;
  /** The last snapshot that a quorum of the SVs attested; null if this SV has none. */
  readonly snapshot: () => SnapshotSource | null;
}

export function peerRoutes({ peer, heads, network, holds, timers }: PeerRouteParts) {
  let waiting = 0;
  /** By the asking SV: the entry that its last question named. */
  const asked = new Map<string, number>();
  const waitFor = async (
    milliseconds: number,
    caller: AbortSignal,
    find: (signal: AbortSignal) => Promise<AppliedHead | null>,
  ): Promise<{ readonly head: SignedHead | null }> => {
    needNetwork();
    if (waiting >= MAX_WAITING_PEERS) throw new Refusal(spliceError(429, "too many SVs wait: try again"));
    waiting++;
    const time = Math.min(Math.max(milliseconds, 0), MAX_FOLLOW_MILLISECONDS);
    const deadline = startDeadline(time, { timers, signals: [caller] });
    try {
      const head = await find(deadline.signal);
      return { head: head && peer.signHead(head) };
    } catch (error) {
      if (deadline.signal.aborted) return { head: null };
      throw error;
    } finally {
      deadline.clear();
      waiting--;
    }
  };
  const needNetwork = (): string => {
    const id = network();
    if (id !== null) return id;
    throw new Refusal(spliceError(503, "The network is not founded yet: try again in a second"));
  };
  /** Refuses a question that was heard before, or is not an SV's. */
  const checkQuestion = (question: TickQuestion): void => {
    const { sv, sequence, entryHash } = question;
    const isKnown = heads.find(sequence)?.entryHash === entryHash;
    const isNew = sequence > (asked.get(sv) ?? 0);
    if (isKnown && isNew && holds(sv, tickMessage(needNetwork(), peer.id, question), question)) return;
    throw new Refusal(
      spliceError(
        403,
        `No tick for ${JSON.stringify(sv)}: an SV asks by its key, with an entry it has applied lately`,
      ),
    );
  };
  return {
    getSvHead: (
      { query }: { readonly query: { readonly above: bigint; readonly waitMs: number } },
      call: Called,
    ) => waitFor(query.waitMs, call.signal, (signal) => peer.head(Number(query.above), signal)),
    findSvHead: (
      given: { readonly params: { readonly sequence: bigint }; readonly query: { readonly waitMs: number } },
      call: Called,
    ) =>
      waitFor(given.query.waitMs, call.signal, (signal) =>
        peer.headAt(Number(given.params.sequence), signal),
      ),
    stateHeld: ({ body }: { readonly body: Parameters<OwnPeer["held"]>[0] }) => {
      needNetwork();
      return peer.held(body);
    },
    showCopy: ({ body }: { readonly body: CopyQuestion }) => {
      const { sv, sequence, entryHash, term, nonce } = body;
      if (!holds(sv, copyQuestionMessage(needNetwork(), peer.id, body), body))
        throw new Refusal(
          spliceError(403, `No entries for ${JSON.stringify(sv)}: SVs alone may read the log, by their keys`),
        );
      if (!peer.hasCopy)
        throw new Refusal(spliceError(503, "This SV has no copy of the log, because the log is on its disk"));
      return peer.showCopy({ sequence, entryHash, term, nonce }).catch((error: unknown) => {
        if (!(error instanceof LogTrimmed || error instanceof StoreUnwritable)) throw error;
        throw new Refusal(spliceError(503, `This SV's copy cannot be shown: ${error.message}`));
      });
    },
    askTick: async ({ body }: { readonly body: TickQuestion }, call: Called) => {
      checkQuestion(body);
      const before = asked.get(body.sv) ?? 0;
      asked.set(body.sv, body.sequence);
      try {
        return { sequence: await peer.tick(call.signal) };
      } catch (error) {
        asked.set(body.sv, before);
        throw error;
      }
    },
  };
}

interface Called {
  readonly signal: AbortSignal;
}
