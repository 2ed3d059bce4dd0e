/**
 * A submission's way: read, checked for who submits and whether it was there before, interpreted here, signed, sent,
 * and answered when its end is on disk. What fails on the way there never reaches the network.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Commands, TraceContext } from "@callsign/api";
import {
  type Engine,
  type Hash,
  isTimeMicros,
  type LedgerError,
  ledgerError,
  MAX_DEDUPLICATION_PERIOD,
  type Time,
  timeFromMicros,
} from "@callsign/ledger";
import { LedgerFailure, type Log } from "@callsign/node";
import { UserQuota } from "../access/user-quota.ts";
import { rejectionOf } from "../events/rejection.ts";
import { MAX_SUBMISSIONS, MAX_SUBMISSIONS_PER_USER } from "../limits/limits.ts";
import { failWith, invalidField } from "../requests/identifiers.ts";
import { commandKey } from "../store/command-key.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { PartyStore } from "../store/party-store.ts";
import { isEmpty, type SubmissionNotes } from "../store/submission-notes.ts";
import type { Completions, Ended } from "./completions.ts";
import type { EntrySender, Frame, Sending } from "./entry-sender.ts";
import { interpretSubmission } from "./interpret-submission.ts";
import { type Deduplication, readSubmission, type Submission } from "./read-submission.ts";

export interface SubmitterParts {
  readonly engine: Engine;
  readonly hash: Hash;
  readonly ledger: LedgerStore;
  readonly parties: PartyStore;
  readonly notes: SubmissionNotes;
  readonly sender: EntrySender;
  readonly completions: Completions;
  readonly synchronizerId: () => string;
  readonly log: Log;
}

/** Who submits, and in which trace. */
export interface Origin {
  /** Null where there is no token. */
  readonly userId: string | null;
  readonly trace: TraceContext | null;
}

export interface Submitted {
  readonly updateId: string;
  readonly offset: number;
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
}

export class Submitter {
  readonly #parts: SubmitterParts;
  readonly #inFlight = new Set<string>();
  readonly #perUser = new UserQuota(MAX_SUBMISSIONS_PER_USER, "submissions");

  constructor(parts: SubmitterParts) {
    this.#parts = parts;
  }

  /** Resolves when its end is on disk; rejects where it did not happen. */
  submit(commands: Commands, origin: Origin): Promise<Submitted> {
    return this.#run(commands, origin, () => undefined);
  }

  /**
   * Resolves when a sequencer has it on its log, so that it ends with a completion; rejects where it never gets there.
   * It counts as under way until it has ended.
   */
  submitAsync(commands: Commands, origin: Origin): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#run(commands, origin, resolve).then(() => resolve(), reject);
    });
  }

  async #run(commands: Commands, origin: Origin, accepted: () => void): Promise<Submitted> {
    const { engine, hash, synchronizerId } = this.#parts;
    const { catalogue } = engine;
    const { userId, trace } = origin;
    const submission = readSubmission(commands, {
      ...{ catalogue, hash, userId, trace },
      synchronizerId: synchronizerId(),
    });
    const key = commandKey(submission);
    const leave = this.#admit(key, submission, userId);
    try {
      const ended = await this.#parts.sender.send(async (frame) => ({
        ...(await this.#prepare(submission, key, frame)),
        accepted,
      }));
      const { actAs, readAs } = submission;
      return { updateId: updateIdOf(ended), offset: ended.offset, actAs, readAs };
    } catch (error) {
      throw named(error, submission);
    } finally {
      leave();
    }
  }

  /** Answers how to leave again. */
  #admit(key: string, submission: Submission, userId: string | null): () => void {
    const { commandId, submissionId } = submission;
    const occasion = submissionId === null ? {} : { submissionId };
    if (this.#inFlight.has(key)) {
      const cause = `Command ${commandId} is being submitted already: wait for its answer`;
      throw new LedgerFailure(ledgerError("SUBMISSION_ALREADY_IN_FLIGHT", cause), occasion);
    }
    if (this.#inFlight.size >= MAX_SUBMISSIONS) {
      const cause = `${MAX_SUBMISSIONS} submissions are under way: try again in a second`;
      throw new LedgerFailure(ledgerError("PARTICIPANT_BACKPRESSURE", cause), occasion);
    }
    const giveBack = this.#takeShare(submission, userId);
    this.#inFlight.add(key);
    return () => {
      this.#inFlight.delete(key);
      giveBack();
    };
  }

  #takeShare(submission: Submission, userId: string | null): () => void {
    try {
      return this.#perUser.take(userId ?? submission.userId);
    } catch (error) {
      throw named(error, submission);
    }
  }

  /** Everything that can be refused here is; what is left is the entry. */
  async #prepare(submission: Submission, key: string, { now, once }: Frame): Promise<Sending<Ended>> {
    await this.#checkParties(submission);
    const deduplicateFrom = await this.#deduplicateFrom(submission.deduplication, now);
    await this.#checkDuplicate(key, submission.commandId, deduplicateFrom ?? longestBefore(now));
    const minLedgerTime = minLedgerTimeOf(submission, now);
    await this.#interpret(submission, now, minLedgerTime);
    const { userId, commandId, workflowId, actAs, readAs, commands } = submission;
    const disclosed = submission.disclosed.map(({ contract, blobHash }) => ({
      contractId: contract.contractId,
      blobHash,
    }));
    const content = {
      tag: "Submit" as const,
      value: {
        ...once,
        userId,
        commandId,
        workflowId,
        actAs,
        readAs,
        deduplicateFrom,
        minLedgerTime,
        commands,
        disclosed,
      },
    };
    const { submissionId: id, maxRecordTime } = once;
    const watch = (seen: (ended: Ended) => void) => this.#parts.completions.onEnd(id, seen);
    const { submissionId, context } = submission;
    if (workflowId === "" && submissionId === null && isEmpty(context)) return { content, watch };
    await this.#parts.notes.keep({ id, workflowId, submissionId, maxRecordTime, context });
    return { content, watch, dropped: () => this.#parts.notes.forget(id) };
  }

  async #checkParties({ actAs, readAs }: Submission): Promise<void> {
    for (const party of [...actAs, ...readAs]) {
      const known = await this.#parts.parties.find(party);
      const resources = [["PARTY", party]] as const;
      if (known === undefined) {
        failWith(
          ledgerError("UNKNOWN_SUBMITTERS", `Party ${party} is not known to this participant`, { resources }),
        );
      }
      if (!known.isLocal) {
        const cause = `This participant does not host ${party}`;
        failWith(ledgerError("NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT", cause, { resources }));
      }
    }
  }

  async #deduplicateFrom(deduplication: Deduplication, now: Time): Promise<Time | null> {
    switch (deduplication.kind) {
      case "longest":
        return null;
      case "duration":
        return timeFromMicros(now - deduplication.microseconds);
      case "offset": {
        const { offset } = deduplication;
        if (offset < this.#parts.ledger.prunedUpTo) failWith(startsTooEarly(offset, this.#parts.ledger));
        const time = await this.#parts.ledger.findRecordTime(offset);
        if (time !== undefined) return timeFromMicros(time + 1n);
        const cause = `Deduplication offset (${offset}) is after ledger end (${this.#parts.ledger.end})`;
        return failWith(ledgerError("OFFSET_AFTER_LEDGER_END", cause));
      }
    }
  }

  async #checkDuplicate(key: string, commandId: string, from: Time): Promise<void> {
    const earlier = await this.#parts.ledger.findAccepted(key);
    if (earlier === undefined || earlier.recordTime < from) return;
    failWith(
      ledgerError("DUPLICATE_COMMAND", `Command ${commandId} was accepted before`, {
        context: { existing_submission_id: earlier.submissionId },
        resources: [["COMMAND_ID", commandId]],
      }),
    );
  }

  async #interpret(submission: Submission, now: Time, minLedgerTime: Time | null): Promise<void> {
    const seed = createHash("sha256").update(randomBytes(32)).digest("hex");
    const failure = await interpretSubmission(this.#parts, { submission, seed, now, minLedgerTime });
    if (failure === null) return;
    if (failure.defect !== null) {
      this.#parts.log.error({ error: failure.defect.stack }, "contract code has a defect");
    }
    failWith(failure.error);
  }
}

/** What it asks to look through is gone, in part: no answer would be sure. */
function startsTooEarly(offset: number, { prunedUpTo }: LedgerStore): LedgerError {
  const cause = `The deduplication offset ${offset} precedes pruned offset ${prunedUpTo}: name that one or a later one`;
  const longest = `${MAX_DEDUPLICATION_PERIOD / 1_000_000n}s`;
  const context = { longest_duration: longest, earliest_offset: String(prunedUpTo) };
  return ledgerError("INVALID_DEDUPLICATION_PERIOD", cause, { context });
}

function longestBefore(now: Time): Time {
  return timeFromMicros(now - MAX_DEDUPLICATION_PERIOD);
}

function minLedgerTimeOf({ minLedgerTime }: Submission, now: Time): Time | null {
  switch (minLedgerTime.kind) {
    case "none":
      return null;
    case "at":
      return minLedgerTime.time;
    case "after":
      return afterNow(now, minLedgerTime.microseconds);
  }
}

function afterNow(now: Time, microseconds: bigint): Time {
  const time = now + microseconds;
  if (isTimeMicros(time)) return time;
  const seconds = microseconds / 1_000_000n;
  throw invalidField("min_ledger_time_rel", `${seconds} seconds from now lie beyond the year 9999`);
}

function updateIdOf({ completion, cause }: Ended): string {
  const { error, updateId } = completion;
  if (error === null && updateId !== null) return updateId;
  throw new LedgerFailure(rejectionOf(error, cause), { definiteAnswer: true });
}

/** An error of a submission that named its own id carries it. */
function named(error: unknown, { submissionId }: Submission): unknown {
  if (!(error instanceof LedgerFailure) || submissionId === null) return error;
  return new LedgerFailure(error.error, { ...error.occasion, submissionId });
}
