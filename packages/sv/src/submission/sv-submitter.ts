/** The one way for an SV to write to the log in its own name: a signed entry, and its own replica's verdict on it. */
import {
  addDuration,
  type Command,
  type EntryContent,
  type Envelope,
  type LedgerError,
  type PartyId,
  type Time,
  type Verdict,
} from "@callsign/ledger";
import { type Host, type MemberIdentity, signEntry, startDeadline, untilAborted } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import { DEDUPLICATION_TIME, ENTRY_LIFETIME, MAX_SUBMISSION_MILLISECONDS } from "../limits/limits.ts";

export interface SvSubmitterParts {
  readonly identity: MemberIdentity;
  readonly party: PartyId;
  readonly replica: Replica;
  /** Resolves with the entry's sequence number once it is in the log. */
  readonly append: (envelope: Envelope) => Promise<number>;
  /** The record time of an entry that would be appended now. */
  readonly now: () => Time;
  readonly host: Pick<Host, "randomness" | "timers">;
}

export interface SubmitOptions {
  /** Equal for every instance of the SV, so that the ledger accepts one of them; random if omitted. */
  readonly commandId?: string;
  readonly lifetime?: bigint;
  /** Ends the wait for a verdict. */
  readonly signal: AbortSignal;
}

export class SvSubmitter {
  readonly #parts: SvSubmitterParts;
  /** By sequence number, the lowest first; only entries that a submission under way may be. */
  readonly #verdicts = new Map<number, OwnVerdict>();
  /** Submissions under way, each with the replica's head at its start: its own entry comes later. */
  readonly #waiting = new Set<{ readonly after: number }>();
  #stopListening: () => void = () => undefined;

  constructor(parts: SvSubmitterParts) {
    this.#parts = parts;
  }

  /**
   * One transaction of the SV's party, which reads as the DSO: its authority comes from contracts that the DSO signed.
   * Resolves with the ledger's error, or null once this replica has applied it. Rejects if there is no verdict in time:
   * the transaction may or may not have happened.
   */
  async submit(commands: readonly Command[], options: SubmitOptions): Promise<LedgerError | null> {
    const { party, replica, now, host } = this.#parts;
    const { network } = replica.state;
    if (network === null) throw new Error("the network is not founded yet");
    const { commandId = host.randomness.uuid(), lifetime = ENTRY_LIFETIME, signal } = options;
    const verdict = await this.#submit(
      {
        tag: "Submit",
        value: {
          ...this.#header(lifetime),
          ...{ userId: "sv", workflowId: "", actAs: [party], readAs: [network.dso] },
          ...{ commandId, deduplicateFrom: addDuration(now(), -DEDUPLICATION_TIME), minLedgerTime: null },
          ...{ commands: [...commands], disclosed: [] },
        },
      },
      signal,
    );
    if (verdict.kind === "ignored") throw new Error(`the ledger ignored the submission: ${verdict.reason}`);
    return verdict.kind === "rejected" ? verdict.error : null;
  }

  /** Lets time pass on a quiet log. Resolves with the tick's sequence number once it is in the log. */
  tick(): Promise<number> {
    return this.#append({ tag: "Tick", value: this.#header(ENTRY_LIFETIME) });
  }

  /** Resolves once this replica's clock has moved. */
  async moveClock(microseconds: bigint, signal: AbortSignal): Promise<void> {
    const value = { ...this.#header(ENTRY_LIFETIME), forward: { microseconds } };
    const verdict = await this.#submit({ tag: "MoveClock", value }, signal);
    if (verdict.kind === "rejected") throw new Error(verdict.error.cause);
  }

  #header(lifetime: bigint) {
    const { identity, replica, now, host } = this.#parts;
    return {
      network: replica.state.network?.id ?? "",
      member: identity.id,
      submissionId: host.randomness.uuid(),
      maxRecordTime: addDuration(now(), lifetime),
    };
  }

  #append(content: EntryContent): Promise<number> {
    const { identity, append } = this.#parts;
    return append(signEntry(content, [identity.signingKey]));
  }

  async #submit(content: EntryContent, signal: AbortSignal): Promise<OwnVerdict> {
    const { replica, host } = this.#parts;
    const deadline = startDeadline(MAX_SUBMISSION_MILLISECONDS, { timers: host.timers, signals: [signal] });
    const waiting = { after: replica.state.head.sequence };
    this.#listen(waiting);
    try {
      const sequence = await untilAborted(this.#append(content), deadline.signal);
      await replica.reach(sequence, deadline.signal);
      const verdict = this.#verdicts.get(sequence);
      if (verdict === undefined) throw new Error(`nothing was applied at ${sequence}`);
      return verdict;
    } finally {
      deadline.clear();
      this.#forget(waiting);
    }
  }

  /** Listens before `reach` does, so that a page's verdicts are here when `reach` resolves with that page. */
  #listen(waiting: { readonly after: number }): void {
    this.#waiting.add(waiting);
    if (this.#waiting.size > 1) return;
    this.#stopListening = this.#parts.replica.onApplied((outcomes) => {
      for (const { head, verdict } of outcomes) this.#verdicts.set(head.sequence, ownVerdict(verdict));
    });
  }

  /** Submissions may overlap for hours: entries before the oldest one's start are forgotten with each that ends. */
  #forget(waiting: { readonly after: number }): void {
    this.#waiting.delete(waiting);
    const [oldest] = this.#waiting;
    if (oldest === undefined) this.#stopListening();
    for (const sequence of this.#verdicts.keys()) {
      if (oldest !== undefined && sequence > oldest.after) return;
      this.#verdicts.delete(sequence);
    }
  }
}

/** A verdict without its transaction, which may be large. */
type OwnVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly error: LedgerError }
  | { readonly kind: "ignored"; readonly reason: string };

function ownVerdict(verdict: Verdict): OwnVerdict {
  if (verdict.kind === "accepted") return { kind: "accepted" };
  return verdict.kind === "rejected" ? { kind: "rejected", error: verdict.error } : verdict;
}
