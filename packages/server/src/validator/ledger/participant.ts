/**
 * The validator's participant, over its JSON Ledger API. A submission whose answer got lost is sent again under the
 * same command id, so that it takes effect once; if it had taken effect already, its transaction is looked up.
 */
import { randomUUID } from "node:crypto";
import {
  type Client,
  type Command,
  createClient,
  type DisclosedContract,
  findLedgerError,
  HttpError,
  type LedgerErrorBody,
  ledgerApi,
  type Transaction,
  TransportError,
} from "@callsign/api";
import { formatTime, type Time } from "@callsign/ledger";
import { openKeepAliveFetch } from "../../http/keep-alive-fetch.ts";
import { pause } from "../pause.ts";
import { formatOf } from "./wallet-format.ts";

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
}

const CALL_MILLISECONDS = 20_000;
const MAX_SENDINGS = 4;
const FIRST_PAUSE = 100;
const PAGE = 200n;

export class Participant {
  readonly client: LedgerClient;
  readonly userId: string;
  readonly #connections = openKeepAliveFetch();
  #closed = false;

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

  /** The transaction, as its parties see it: what it archived and what it created. */
  async submit(submission: Submission): Promise<Transaction> {
    const commandId = submission.commandId ?? randomUUID();
    const before = submission.after ?? (await this.ledgerEnd());
    for (let sending = 1; ; sending++) {
      try {
        const body = { commands: this.#commandsOf(submission, commandId) };
        return (await this.client.submitAndWaitForTransaction({ body })).transaction;
      } catch (error) {
        const code = ledgerErrorOf(error)?.code;
        const isRepeated = sending > 1 && code === "DUPLICATE_COMMAND";
        if (isRepeated) return await this.#findTransaction(submission, commandId, before);
        const isInFlight = sending > 1 && code === "SUBMISSION_ALREADY_IN_FLIGHT";
        if (this.#closed || sending === MAX_SENDINGS || !(isInFlight || isUncertain(error))) throw error;
      }
      await pause(FIRST_PAUSE * 2 ** sending);
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

  async #findTransaction(submission: Submission, commandId: string, before: number): Promise<Transaction> {
    const updateFormat = formatOf([...submission.actAs, ...(submission.readAs ?? [])]);
    for (let begin = before; ; ) {
      const endInclusive = await this.ledgerEnd();
      const page = await this.client.listUpdates({
        query: { limit: PAGE },
        body: { beginExclusive: begin, endInclusive, updateFormat },
      });
      const transactions = page.flatMap(({ update }) =>
        "Transaction" in update ? [update.Transaction.value] : [],
      );
      const found = transactions.find((transaction) => transaction.commandId === commandId);
      if (found !== undefined) return found;
      const last = transactions.at(-1)?.offset;
      if (last === undefined || last <= begin)
        throw new Error("a submission took effect, but is not in the updates");
      begin = last;
    }
  }
}

export function ledgerErrorOf(error: unknown): LedgerErrorBody | undefined {
  return error instanceof HttpError ? findLedgerError(error) : undefined;
}

/** Whether the submission may have taken effect although this came back. */
function isUncertain(error: unknown): boolean {
  if (error instanceof TransportError) return error.failure === "network" || error.failure === "timeout";
  if (!(error instanceof HttpError)) return false;
  const ledgerError = findLedgerError(error);
  if (ledgerError === undefined) return error.status >= 500;
  return ledgerError.definiteAnswer !== true && (error.status === 503 || error.status === 504);
}

function optional(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
