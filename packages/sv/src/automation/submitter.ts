/** Sends a task as a submission of the SV, and waits for what the SV's own replica says of it. */
import { randomUUID } from "node:crypto";
import {
  addDuration,
  type Envelope,
  type Hash,
  type Network,
  type Outcome,
  type PartyId,
} from "@callsign/ledger";
import { DONE, failed, type MemberIdentity, signEntry, type TaskOutcome } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import { ownSubmission } from "../own-submission.ts";
import type { Task } from "./task.ts";
import { untilAborted } from "./until-aborted.ts";

export interface SubmitterParts {
  readonly replica: Replica;
  readonly identity: MemberIdentity;
  readonly party: PartyId;
  /** Resolves with the entry's sequence number once it is in the log. */
  readonly submit: (envelope: Envelope) => Promise<number>;
  readonly hash: Hash;
}

const SECOND = 1_000_000n;
/** By then it is in the log, or must be decided anew. */
const VALID_FOR = 600n * SECOND;
/** Long enough for two instances of one SV, short enough for work that comes up again. */
const SAME_FOR = 300n * SECOND;
const MAX_WAIT_MILLISECONDS = 30_000;

export class Submitter {
  readonly #parts: SubmitterParts;
  readonly #outcomes = new Map<string, TaskOutcome>();
  readonly #waiting = new Set<string>();

  constructor(parts: SubmitterParts) {
    this.#parts = parts;
  }

  /** Rejects if nothing was heard of it: it may or may not have happened. */
  async send(task: Task, network: Network, stopped: AbortSignal): Promise<TaskOutcome> {
    const { replica, submit } = this.#parts;
    const submissionId = randomUUID();
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(MAX_WAIT_MILLISECONDS)]);
    this.#waiting.add(submissionId);
    try {
      const sequence = await untilAborted(submit(this.#envelope(task, network, submissionId)), signal);
      await replica.reach(sequence, signal);
      return this.#outcomes.get(submissionId) ?? failed("the ledger has overlooked it");
    } finally {
      this.#waiting.delete(submissionId);
      this.#outcomes.delete(submissionId);
    }
  }

  /** Must be told of every page before anybody else is: `reach` resolves with the same page. */
  absorb(outcomes: readonly Outcome[]): void {
    for (const { completion, verdict } of outcomes) {
      if (completion === null || !this.#waiting.has(completion.submissionId)) continue;
      if (completion.member !== this.#parts.identity.id) continue;
      const { kind } = verdict;
      const outcome = kind === "rejected" ? failed(`${verdict.error.code}: ${verdict.error.cause}`) : DONE;
      this.#outcomes.set(completion.submissionId, outcome);
    }
  }

  #envelope({ key, commands }: Task, { id, dso }: Network, submissionId: string): Envelope {
    const { identity, party, replica, hash } = this.#parts;
    const { recordTime } = replica.state.head;
    const content = ownSubmission({
      ...{ network: id, dso, member: identity.id, party, submissionId, commands },
      maxRecordTime: addDuration(recordTime, VALID_FOR),
      // The same for every instance of this SV, so that the ledger takes one of them.
      commandId: hash(key),
      deduplicateFrom: addDuration(recordTime, -SAME_FOR),
    });
    return signEntry(content, [identity.signingKey]);
  }
}
