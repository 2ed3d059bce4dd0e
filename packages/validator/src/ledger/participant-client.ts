/**
 * The validator's participant, over its JSON Ledger API. A submission whose answer got lost, or that is still in
 * flight, is sent again under the same command id, so that it takes effect once; if it took effect before, its
 * transaction is looked up. An outcome that stays unknown is thrown as `UncertainOutcome`.
 */
import {
  type Client,
  type Command,
  type DisclosedContract,
  ledgerApi,
  type Transaction,
  TransportError,
} from "@callsign/api";
import { formatTime, type Time } from "@callsign/ledger";
import { Backoff, type Host, type HttpClient, sleep } from "@callsign/node";
import {
  LEDGER_PAGE,
  MAX_SENDINGS,
  PARTICIPANT_CALL_MILLISECONDS,
  RESEND_BACKOFF,
  SMALLER_PAGE_DIVISOR,
  SUBMIT_MILLISECONDS,
} from "../limits/limits.ts";
import { formatOf } from "./event-formats.ts";
import { connectParticipant, type ParticipantOptions } from "./participant-connection.ts";
import {
  isInFlight,
  isUncertain,
  isUnconnected,
  ledgerErrorOf,
  UncertainOutcome,
} from "./submission-outcome.ts";
import { toUpdatePage, type UpdatePage, type UpdatePlace } from "./update-page.ts";

export type LedgerClient = Client<typeof ledgerApi.endpoints>;

export interface Submission {
  readonly actAs: readonly string[];
  readonly readAs?: readonly string[];
  readonly commands: readonly Command[];
  readonly disclosed?: readonly DisclosedContract[];
  /** The ledger's time must have reached this. */
  readonly notBefore?: Time;
  readonly commandId: string;
  /** The participant refuses the same command id for this long. */
  readonly deduplicationSeconds?: number;
  /** Or since this offset; the longest time there is if neither is given. */
  readonly deduplicationOffset?: number;
  /** An offset before the submission's effect; the ledger's end if omitted. */
  readonly after?: number;
  /** An earlier sending of this command id may have taken effect, or may still. */
  readonly isRepeated?: boolean;
  /** No sending begins after this time of the host's clock, in elapsed milliseconds. */
  readonly until?: number;
}

/** A command's id, and the parties as which its effects are read. */
export interface CommandEffect {
  readonly commandId: string;
  readonly parties: readonly string[];
}

export class ParticipantClient {
  readonly client: LedgerClient;
  readonly userId: string;
  readonly #host: Host;
  readonly #connections: HttpClient;
  readonly #closing = new AbortController();
  #id: string | undefined;
  #pageLimit = LEDGER_PAGE;

  constructor(options: ParticipantOptions) {
    this.userId = options.userId;
    this.#host = options.host;
    const { client, connections } = connectParticipant(ledgerApi, options);
    this.client = client;
    this.#connections = connections;
  }

  /** Gives up all calls in flight. */
  close(): void {
    this.#closing.abort();
    this.#connections.close();
  }

  async ledgerEnd(signal?: AbortSignal): Promise<number> {
    return (await this.client.getLedgerEnd({}, signal === undefined ? {} : { signal })).offset;
  }

  /**
   * A page of updates up to the ledger's end. Anybody may make large updates: after a page that was longer than an answer
   * may be, pages are short, and grow again.
   */
  async readUpdates(place: UpdatePlace, end: number, signal?: AbortSignal): Promise<UpdatePage> {
    for (;;) {
      const limit = this.#pageLimit;
      try {
        const page = await this.#readPage(place, { end, limit, signal });
        this.#pageLimit = Math.min(LEDGER_PAGE, limit * 2);
        return page;
      } catch (error) {
        const isTooLarge = error instanceof TransportError && error.failure === "too-large";
        if (!isTooLarge || limit === 1) throw error;
        this.#pageLimit = Math.ceil(limit / SMALLER_PAGE_DIVISOR);
      }
    }
  }

  async #readPage(
    { parties, after, shape }: UpdatePlace,
    page: { readonly end: number; readonly limit: number; readonly signal: AbortSignal | undefined },
  ): Promise<UpdatePage> {
    const { end, limit, signal } = page;
    const updates = await this.client.listUpdates(
      {
        query: { limit: BigInt(limit) },
        body: { beginExclusive: after, endInclusive: end, updateFormat: formatOf(parties, shape) },
      },
      signal === undefined ? {} : { signal },
    );
    // A full page, and one that ends with a checkpoint, has more behind it.
    const last = updates.at(-1)?.update ?? {};
    const isLast = updates.length < limit && !("OffsetCheckpoint" in last);
    return toUpdatePage(updates, isLast ? end : after);
  }

  /** The participant's own id, by which members are named. It stays the same. */
  async participantId(): Promise<string> {
    this.#id ??= (await this.client.getParticipantId({})).participantId;
    return this.#id;
  }

  /** The transaction, as its parties see it: the contracts it archived and created. */
  async submit(submission: Submission): Promise<Transaction> {
    const { clock, timers } = this.#host;
    const { signal } = this.#closing;
    const before = submission.after ?? (await this.ledgerEnd());
    const until = submission.until ?? clock.elapsedMilliseconds() + SUBMIT_MILLISECONDS;
    const backoff = new Backoff(RESEND_BACKOFF);
    let isRepeated = submission.isRepeated === true;
    for (let sending = 1; ; ) {
      const pause = backoff.next();
      try {
        return await this.#send(submission, until);
      } catch (error) {
        if (isRepeated && ledgerErrorOf(error)?.code === "DUPLICATE_COMMAND")
          return await this.#getTransaction(submission, before);
        // A command in flight does not count: it is asked for until it ends.
        const isUnderWay = isInFlight(error);
        if (!isUnderWay) sending++;
        isRepeated ||= isUncertain(error);
        const isLost = isUncertain(error) || isUnconnected(error);
        const isSentAgain = isUnderWay || (isLost && sending <= MAX_SENDINGS);
        if (signal.aborted || !isSentAgain || clock.elapsedMilliseconds() + pause >= until)
          throw isRepeated || isUnderWay ? new UncertainOutcome(error) : error;
      }
      await sleep(pause, { timers, signal });
    }
  }

  async #send(submission: Submission, until: number): Promise<Transaction> {
    const body = { commands: this.#commandsOf(submission) };
    const left = until - this.#host.clock.elapsedMilliseconds();
    const timeoutMilliseconds = Math.max(1, Math.min(PARTICIPANT_CALL_MILLISECONDS, left));
    return (await this.client.submitAndWaitForTransaction({ body }, { timeoutMilliseconds })).transaction;
  }

  #commandsOf({ commandId, actAs, readAs = [], commands, disclosed = [], ...submission }: Submission) {
    const { notBefore } = submission;
    const acting = [...new Set(actAs)];
    return {
      commandId,
      userId: this.userId,
      actAs: acting,
      readAs: [...new Set(readAs)].filter((party) => !acting.includes(party)),
      commands: [...commands],
      disclosedContracts: [...disclosed],
      ...(notBefore === undefined ? {} : { minLedgerTimeAbs: formatTime(notBefore) }),
      ...deduplicationOf(submission),
    };
  }

  /** The command has taken effect: failing to find its transaction does not undo that. */
  async #getTransaction({ commandId, actAs, readAs = [] }: Submission, before: number): Promise<Transaction> {
    const sought = { commandId, parties: [...actAs, ...readAs] };
    const found = await this.findTransaction(sought, before).catch((error: unknown) => {
      throw new UncertainOutcome(error);
    });
    if (found !== undefined) return found;
    throw new UncertainOutcome(new Error("a submission took effect, but is not in the updates"));
  }

  /** The transaction of a command, behind an offset. */
  async findTransaction(
    { commandId, parties }: CommandEffect,
    before: number,
  ): Promise<Transaction | undefined> {
    const end = await this.ledgerEnd();
    for (let after = before; after < end; ) {
      const page = await this.readUpdates({ parties, after }, end);
      const found = page.transactions.find((transaction) => transaction.commandId === commandId);
      if (found !== undefined) return found;
      if (page.offset <= after) break;
      after = page.offset;
    }
    return undefined;
  }
}

function deduplicationOf({
  deduplicationSeconds: seconds,
  deduplicationOffset: offset,
}: Partial<Submission>) {
  if (seconds !== undefined)
    return { deduplicationPeriod: { DeduplicationDuration: { value: { seconds } } } };
  return offset === undefined ? {} : { deduplicationPeriod: { DeduplicationOffset: { value: offset } } };
}
