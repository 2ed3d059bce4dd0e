/**
 * The validator's participant, over its JSON Ledger API. A submission whose answer got lost, or is still under way, is
 * sent again under the same command id, so that it takes effect once; if it had taken effect already, its transaction
 * is looked up. What stays unknown is thrown as `UncertainOutcome`.
 */
import { randomUUID } from "node:crypto";
import {
  type Client,
  type Command,
  createClient,
  type DisclosedContract,
  ledgerApi,
  type Transaction,
} from "@callsign/api";
import { formatTime, type Time } from "@callsign/ledger";
import { openHttpClient } from "@callsign/node";
import { pause } from "../waiting/pause.ts";
import { formatOf } from "./event-formats.ts";
import { isInFlight, isUncertain, ledgerErrorOf, UncertainOutcome } from "./submission-outcome.ts";

export type LedgerClient = Client<typeof ledgerApi.endpoints>;

export interface ParticipantOptions {
  readonly url: string;
  readonly userId: string;
  readonly token: () => string;
}

export interface Submission {
  readonly actAs: readonly string[];
  readonly readAs?: readonly string[];
  readonly commands: readonly Command[];
  readonly disclosed?: readonly DisclosedContract[];
  /** The ledger's time must have reached this. */
  readonly notBefore?: Time;
  /** Made up without one. */
  readonly commandId?: string;
  /** How long the same command id is refused. */
  readonly deduplicationSeconds?: number;
  /** An offset that lies before whatever the submission does; asked for without one. */
  readonly after?: number;
  /** An earlier sending of this command id may have taken effect, or may still. */
  readonly isRepeated?: boolean;
  /** Until when it is sent again, by `performance.now()`. */
  readonly until?: number;
}

const CALL_MILLISECONDS = 20_000;
/** How long an answer is looked for: less than a caller is kept waiting. */
export const SUBMIT_MILLISECONDS = 30_000;
const MAX_SENDINGS = 4;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1000;
const PAGE = 200n;

export class ParticipantClient {
  readonly client: LedgerClient;
  readonly userId: string;
  readonly #connections = openHttpClient();
  #closed = false;
  #id: string | undefined;

  constructor({ url, userId, token }: ParticipantOptions) {
    this.userId = userId;
    this.client = createClient(ledgerApi, {
      fetch: this.#connections.fetch,
      baseUrl: url,
      token,
      timeoutMilliseconds: CALL_MILLISECONDS,
    });
  }

  /** Gives up whatever is under way. */
  close(): void {
    this.#closed = true;
    this.#connections.close();
  }

  async ledgerEnd(signal?: AbortSignal): Promise<number> {
    return (await this.client.getLedgerEnd({}, optional(signal))).offset;
  }

  /** The participant's own id, as members are named by. It stays the same. */
  async participantId(): Promise<string> {
    this.#id ??= (await this.client.getParticipantId({})).participantId;
    return this.#id;
  }

  /** The transaction, as its parties see it: what it archived and what it created. */
  async submit(submission: Submission): Promise<Transaction> {
    const commandId = submission.commandId ?? randomUUID();
    const before = submission.after ?? (await this.ledgerEnd());
    const until = submission.until ?? performance.now() + SUBMIT_MILLISECONDS;
    let isRepeated = submission.isRepeated === true;
    for (let sending = 1, wait = 2 * FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      try {
        const body = { commands: this.#commandsOf(submission, commandId) };
        const timeoutMilliseconds = Math.max(1, Math.min(CALL_MILLISECONDS, until - performance.now()));
        return (await this.client.submitAndWaitForTransaction({ body }, { timeoutMilliseconds })).transaction;
      } catch (error) {
        if (isRepeated && ledgerErrorOf(error)?.code === "DUPLICATE_COMMAND")
          return await this.#findTransaction(submission, commandId, before);
        // One that is under way does not count: it is asked for until it ends.
        const isUnderWay = isInFlight(error);
        if (!isUnderWay) sending++;
        isRepeated ||= isUncertain(error);
        const isSentAgain = isUnderWay || (isUncertain(error) && sending <= MAX_SENDINGS);
        if (this.#closed || !isSentAgain || performance.now() + wait >= until)
          throw isRepeated || isUnderWay ? new UncertainOutcome(error) : error;
      }
      await pause(wait);
    }
  }

  #commandsOf(submission: Submission, commandId: string) {
    const { actAs, readAs = [], commands, disclosed = [], deduplicationSeconds, notBefore } = submission;
    const acting = [...new Set(actAs)];
    return {
      commandId,
      userId: this.userId,
      actAs: acting,
      readAs: [...new Set(readAs)].filter((party) => !acting.includes(party)),
      commands: [...commands],
      disclosedContracts: [...disclosed],
      ...(notBefore === undefined ? {} : { minLedgerTimeAbs: formatTime(notBefore) }),
      ...(deduplicationSeconds === undefined
        ? {}
        : { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: deduplicationSeconds } } } }),
    };
  }

  /** It has taken effect: failing to find it does not undo that. */
  #findTransaction(submission: Submission, commandId: string, before: number): Promise<Transaction> {
    return this.#readTransaction(submission, commandId, before).catch((error: unknown) => {
      throw new UncertainOutcome(error);
    });
  }

  async #readTransaction(submission: Submission, commandId: string, before: number): Promise<Transaction> {
    const updateFormat = formatOf([...submission.actAs, ...(submission.readAs ?? [])]);
    for (let begin = before; ; ) {
      const endInclusive = await this.ledgerEnd();
      const page = await this.client.listUpdates({
        query: { limit: PAGE },
        body: { beginExclusive: begin, endInclusive, updateFormat },
      });
      let last = begin;
      for (const { update } of page) {
        if ("OffsetCheckpoint" in update) last = Math.max(last, update.OffsetCheckpoint.value.offset);
        if (!("Transaction" in update)) continue;
        if (update.Transaction.value.commandId === commandId) return update.Transaction.value;
        last = Math.max(last, update.Transaction.value.offset);
      }
      if (last <= begin) throw new Error("a submission took effect, but is not in the updates");
      begin = last;
    }
  }
}

function optional(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
