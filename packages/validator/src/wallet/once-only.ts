/**
 * Requests with an id of the caller's choice take effect once. The same request, repeated, gets the first answer, also
 * after a crash: it is kept before it is sent, and its transaction is looked up if the answer was lost. The same id with
 * other content is refused, and so is a repetition while the first call is in flight. Should the store be lost, the
 * ledger still refuses the command id.
 */
import { hash } from "node:crypto";
import type { Transaction } from "@callsign/api";
import { type PartyId, SECOND } from "@callsign/ledger";
import { Backoff, type Host, sleep } from "@callsign/node";
import { isProblem, ValidatorError } from "../errors/validator-error.ts";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { isDuplicateCommand, isGone, toValidatorError } from "../ledger/participant-errors.ts";
import { INGESTION_MILLISECONDS, RESEND_BACKOFF } from "../limits/limits.ts";
import type { AnsweredRequest, FirstAnswers } from "../store/first-answers.ts";
import type { CommandIdentity } from "./wallet-ledger.ts";

export interface OnceOnlyParts {
  readonly answers: FirstAnswers;
  readonly participant: ParticipantClient;
  readonly follower: Pick<LedgerFollower, "offset">;
  readonly clock: LedgerClock;
  readonly operatorParty: PartyId;
  readonly host: Host;
  /** The time for which an id names the same request. */
  readonly deduplicationSeconds: number;
}

export interface OnceRequest {
  /** The operation's id in the API. An id of the caller's may name one request of each operation. */
  readonly operation: string;
  readonly party: PartyId;
  /** The thing and the name of the id, as they begin a refusal: `Transfer offer with trackingId`. */
  readonly what: string;
  readonly id: string;
  /** The content of the request, by which a repetition is recognized. */
  readonly content: unknown;
  /** Checks that only the first call has to pass. */
  readonly check: () => Promise<void>;
  readonly submit: (identity: Omit<CommandIdentity, "priority">) => Promise<Transaction>;
  readonly answerOf: (transaction: Transaction) => string | Promise<string>;
}

export class OnceOnly {
  readonly #parts: OnceOnlyParts;
  readonly #inFlight = new Set<string>();

  constructor(parts: OnceOnlyParts) {
    this.#parts = parts;
  }

  async run(request: OnceRequest): Promise<string> {
    const { operation, party, what, id } = request;
    const commandId = `${operation}_${hash("sha256", ["1", party, id].join("/"), "hex")}`;
    if (this.#inFlight.has(commandId)) throw new ValidatorError({ kind: "request-in-flight", what, id });
    this.#inFlight.add(commandId);
    try {
      return await this.#answer(request, commandId);
    } finally {
      this.#inFlight.delete(commandId);
    }
  }

  async #answer(request: OnceRequest, commandId: string): Promise<string> {
    const { answers, clock, follower, deduplicationSeconds } = this.#parts;
    const { what, id } = request;
    const since = clock.now - BigInt(deduplicationSeconds) * SECOND;
    const content = hash("sha256", JSON.stringify(request.content), "hex");
    const earlier = await answers.find(commandId, since);
    if (earlier !== undefined && earlier.content !== content)
      throw new ValidatorError({ kind: "id-in-use", what, id });
    if (typeof earlier?.answer === "string") return earlier.answer;
    if (earlier === undefined) {
      await request.check();
      await answers.keep(commandId, { content, offset: follower.offset, keptAt: clock.now }, since);
    }
    const answer = await request.answerOf(await this.#submit(request, commandId, earlier));
    // Without the answer, as on a full disk, a repetition looks the transaction up.
    await answers.answer(commandId, answer).catch(() => undefined);
    return answer;
  }

  async #submit(
    { party, what, id, submit }: OnceRequest,
    commandId: string,
    earlier: AnsweredRequest | undefined,
  ): Promise<Transaction> {
    const { answers, deduplicationSeconds } = this.#parts;
    const findEffect = () => this.#findEffect(commandId, party, earlier);
    const before = await findEffect();
    if (before !== undefined) return before;
    try {
      return await submit({ commandId, deduplicationSeconds });
    } catch (error) {
      const isDuplicate = isDuplicateCommand(error);
      // An earlier sending may have used up the contract meanwhile, as scans may see before the participant does.
      const effect = await (isMissing(error) ? this.#awaitEffect(findEffect, earlier) : findEffect());
      if (effect !== undefined) return effect;
      const isDefinite = error instanceof ValidatorError && !isProblem(error, "outcome-unknown");
      // The error may be about this sending only, while an earlier one is still in flight.
      if (earlier === undefined && isDefinite) await answers.drop(commandId);
      throw isDuplicate ? new ValidatorError({ kind: "id-in-use", what, id }) : error;
    }
  }

  /** The effect of an earlier sending, as soon as the participant has it. */
  async #awaitEffect(
    findEffect: () => Promise<Transaction | undefined>,
    earlier: AnsweredRequest | undefined,
  ): Promise<Transaction | undefined> {
    if (earlier === undefined) return undefined;
    const { clock, timers } = this.#parts.host;
    const until = clock.elapsedMilliseconds() + INGESTION_MILLISECONDS;
    const backoff = new Backoff(RESEND_BACKOFF);
    for (;;) {
      const effect = await findEffect();
      if (effect !== undefined || clock.elapsedMilliseconds() >= until) return effect;
      await sleep(backoff.next(), { timers });
    }
  }

  /** The transaction of an earlier sending. */
  async #findEffect(
    commandId: string,
    party: PartyId,
    earlier: AnsweredRequest | undefined,
  ): Promise<Transaction | undefined> {
    if (earlier === undefined) return undefined;
    const { participant, operatorParty } = this.#parts;
    try {
      return await participant.findTransaction(
        { commandId, parties: [operatorParty, party] },
        earlier.offset,
      );
    } catch (error) {
      throw toValidatorError(error);
    }
  }
}

/** The contract that the request is about is gone: by the ledger, by the copy of it, or by scans. */
function isMissing(error: unknown): boolean {
  if (isGone(error) || isProblem(error, "contract-not-found", "allocation-request-not-found")) return true;
  if (!(error instanceof ValidatorError) || error.problem.kind !== "scan-rejection") return false;
  return error.problem.status === 404;
}
