/** Entries that the SV writes in its own name, and what its own replica makes of them. */
import { randomUUID } from "node:crypto";
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
import { type MemberIdentity, signEntry } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import { ownSubmission } from "./own-submission.ts";

export interface OwnEntriesParts {
  readonly identity: MemberIdentity;
  readonly party: PartyId;
  readonly replica: Replica;
  /** Resolves with the entry's number once it is on disk. */
  readonly submit: (envelope: Envelope) => Promise<number>;
  readonly now: () => Time;
  /** Aborted when the replica no longer follows the log. */
  readonly ended: AbortSignal;
}

/** How long an entry of the SV's own may take to be sequenced. */
const SUBMISSION_WINDOW = 60_000_000n;
const MAX_WAIT_MILLISECONDS = 30_000;

export class OwnEntries {
  readonly #parts: OwnEntriesParts;

  constructor(parts: OwnEntriesParts) {
    this.#parts = parts;
  }

  tick(): Promise<number> {
    return this.#send({ tag: "Tick", value: this.#once() });
  }

  /** Resolves once this replica stands there. */
  async moveClock(microseconds: bigint): Promise<void> {
    const value = { ...this.#once(), forward: { microseconds } };
    const verdict = await this.#verdictOn({ tag: "MoveClock", value }, this.#parts.ended);
    if (verdict.kind === "rejected") throw new Error(verdict.error.cause);
  }

  /**
   * One transaction of the SV's own party. Resolves with the ledger's objection, or null once
   * this replica has it. Rejects if nothing was heard of it in time: it may or may not have happened.
   */
  async act(commands: readonly Command[]): Promise<LedgerError | null> {
    const { party, replica, ended } = this.#parts;
    const { network } = replica.state;
    if (network === null) throw new Error("the network is not founded yet");
    const content = ownSubmission({
      ...this.#once(),
      ...{ party, dso: network.dso, commands },
      commandId: randomUUID(),
      deduplicateFrom: replica.state.head.recordTime,
    });
    const signal = AbortSignal.any([ended, AbortSignal.timeout(MAX_WAIT_MILLISECONDS)]);
    const verdict = await this.#verdictOn(content, signal);
    if (verdict.kind === "ignored") throw new Error(`the ledger has overlooked it: ${verdict.reason}`);
    return verdict.kind === "rejected" ? verdict.error : null;
  }

  #once() {
    const { identity, replica, now } = this.#parts;
    return {
      network: replica.state.network?.id ?? "",
      member: identity.id,
      submissionId: randomUUID(),
      maxRecordTime: addDuration(now(), SUBMISSION_WINDOW),
    };
  }

  #send(content: EntryContent): Promise<number> {
    const { identity, submit } = this.#parts;
    return submit(signEntry(content, [identity.signingKey]));
  }

  async #verdictOn(content: EntryContent, signal: AbortSignal): Promise<Verdict> {
    const { replica } = this.#parts;
    const verdicts = new Map<number, Verdict>();
    const stop = replica.onApplied((outcomes) => {
      for (const { head, verdict } of outcomes) verdicts.set(head.sequence, verdict);
    });
    try {
      const sequence = await this.#send(content);
      await replica.reach(sequence, signal);
      const verdict = verdicts.get(sequence);
      if (verdict === undefined) throw new Error(`nothing was applied at ${sequence}`);
      return verdict;
    } finally {
      stop();
    }
  }
}
