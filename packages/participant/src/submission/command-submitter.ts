/**
 * The path of a submission: read it, admit it, check and interpret it here, sign and send it, answer when its completion
 * is stored. A submission that fails before it is sent never reaches the network.
 */
import type { Commands, TraceContext } from "@callsign/api";
import { commandKey, type Engine, type Hash } from "@callsign/ledger";
import { type Host, LedgerFailure, type Log } from "@callsign/node";
import { readRejection } from "../events/rejection.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { PartyStore } from "../store/party-store.ts";
import { isEmpty, type SubmissionNotes } from "../store/submission-notes.ts";
import { checkSubmission } from "./check-submission.ts";
import type { Completions, Ended } from "./completions.ts";
import type { EntrySender, Frame, Sending } from "./entry-sender.ts";
import { type CommandSubmission, readSubmission } from "./read-submission.ts";
import { SubmissionsInFlight } from "./submissions-in-flight.ts";

export interface SubmissionParts {
  readonly engine: Engine;
  readonly hash: Hash;
  readonly ledger: LedgerStore;
  readonly parties: PartyStore;
  readonly notes: SubmissionNotes;
  readonly sender: EntrySender;
  readonly completions: Completions;
  readonly synchronizerId: () => string;
  readonly host: Host;
  readonly log: Log;
}

/** The caller of a submission, and the trace that its request is part of. */
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

export class CommandSubmitter {
  readonly #parts: SubmissionParts;
  readonly #inFlight: SubmissionsInFlight;

  constructor(parts: SubmissionParts) {
    this.#parts = parts;
    this.#inFlight = new SubmissionsInFlight(parts.host.clock);
  }

  /** The number of submissions under way. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Throws if no submission would be taken now: there is no need to read one. */
  checkRoom(userId: string | null): void {
    this.#inFlight.checkRoom(userId);
  }

  /** Resolves when its completion is stored; rejects where it did not happen. */
  submit(commands: Commands, origin: Origin): Promise<Submitted> {
    return this.#run(commands, origin, () => undefined);
  }

  /**
   * Resolves when a sequencer has it on its log, so that it ends with a completion; rejects where it never gets there.
   * It is in flight until it has ended.
   */
  submitAsync(commands: Commands, origin: Origin): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#run(commands, origin, resolve).then(() => resolve(), reject);
    });
  }

  async #run(commands: Commands, origin: Origin, accepted: () => void): Promise<Submitted> {
    const { engine, hash, synchronizerId, sender } = this.#parts;
    const submission = readSubmission(commands, {
      ...origin,
      ...{ catalogue: engine.catalogue, hash, synchronizerId: synchronizerId() },
    });
    const { commandId, actAs, readAs } = submission;
    const userId = origin.userId ?? submission.userId;
    try {
      const place = this.#inFlight.enter({ key: commandKey(submission), commandId, userId });
      try {
        const ended = await sender.send(async (frame) => ({
          ...(await this.#prepare(submission, frame)),
          accepted,
        }));
        place.done();
        return { updateId: updateIdOf(ended), offset: ended.offset, actAs, readAs };
      } finally {
        place.leave();
      }
    } catch (error) {
      throw named(error, submission);
    }
  }

  async #prepare(submission: CommandSubmission, { now, once }: Frame): Promise<Sending<Ended>> {
    const { completions, notes } = this.#parts;
    const times = await checkSubmission(this.#parts, submission, now);
    const { userId, commandId, workflowId, actAs, readAs, commands, submissionId, context } = submission;
    const disclosed = submission.disclosed.map(({ contract, blobHash }) => ({
      contractId: contract.contractId,
      blobHash,
    }));
    const command = { userId, commandId, workflowId, actAs, readAs, commands, disclosed };
    const content = { tag: "Submit" as const, value: { ...once, ...command, ...times } };
    const { submissionId: id, maxRecordTime } = once;
    const watch = (seen: (ended: Ended) => void) => completions.onEnd(id, seen);
    if (workflowId === "" && submissionId === null && isEmpty(context)) return { content, watch };
    await notes.keep({ id, workflowId, submissionId, maxRecordTime, context });
    return { content, watch, dropped: () => notes.forget(id) };
  }
}

function updateIdOf({ completion, cause }: Ended): string {
  const { error, updateId } = completion;
  if (error === null && updateId !== null) return updateId;
  throw new LedgerFailure(readRejection(error, cause), { definiteAnswer: true });
}

/** An error carries the submission's own id, if it named one. */
function named(error: unknown, { submissionId }: CommandSubmission): unknown {
  if (!(error instanceof LedgerFailure) || submissionId === null) return error;
  return new LedgerFailure(error.error, { ...error.occasion, submissionId });
}
