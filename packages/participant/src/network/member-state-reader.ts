/**
 * The present state of the participant's parties, as the SVs have it: for a participant whose stream was pruned before it read
 * it. The SVs answer at different moments. Those that have an item of the stream are asked, and what f + 1 of them list behind
 * it is or was active then. Contracts that come or go meanwhile come or go again in the stream behind that item.
 */
import { type Contract, type ContractId, type Hash, isAuthentic, timeFromMicros } from "@callsign/ledger";
import type { StateStart } from "../agreement/stream-agreement.ts";
import { ANSWER_MILLISECONDS, MAX_STATE_PAGES } from "../limits/limits.ts";
import { type AskedSequencer, askTrusted } from "./ask-trusted.ts";

type AskParts = Parameters<typeof askTrusted>[0];

interface Page<T> {
  readonly source: number;
  readonly rows: readonly T[];
  readonly next: string | null;
}

export class MemberStateReader {
  readonly #parts: AskParts;
  readonly #hash: Hash;
  /** The sequencers that have the item which is found first. */
  readonly #having = new Set<number>();
  /** The last sequencers whose pages ended before those of the others, as many as may be faulty: they are left out. */
  #limiting: readonly number[] = [];
  #offset = 0;

  constructor(parts: AskParts, hash: Hash) {
    this.#parts = parts;
    this.#hash = hash;
  }

  /** The item behind which the stream is to be followed. Call it first. Rejects if too few SVs answer alike. */
  async findStart(): Promise<StateStart> {
    const { history, voices } = this.#parts.consensus.quorum;
    const ends = await this.#ask(
      async ({ client, signal }) => (await client.listHostedParties("", signal)).end,
    );
    // At least one honest SV has come so far, and liars cannot make it an item that is pruned.
    const offset = ends.map((end) => end.offset).toSorted((a, b) => a - b)[voices - 1] ?? 0;
    if (offset === 0) throw new Error("too few sequencers say where the participant's stream ends");
    const items = await this.#ask(async ({ client, source, signal }) => {
      const asked = { after: offset - 1, waitMs: ANSWER_MILLISECONDS / 2, bodies: true };
      const page = await client.follow(asked, signal);
      const item = page.items.find((each) => each.offset === offset);
      if (item === undefined || item.body === null) throw new Error(`it lacks item ${offset}`);
      return { source, item: { ...item, body: item.body } };
    });
    const agreed = items.find(
      ({ item }) => items.filter((other) => other.item.digest === item.digest).length >= history,
    );
    if (agreed === undefined)
      throw new Error(`fewer than ${history} sequencers agree on item ${offset} of the participant's stream`);
    const { digest, body } = agreed.item;
    for (const { source, item } of items) if (item.digest === digest) this.#having.add(source);
    this.#offset = offset;
    return { offset, digest, recordTime: BigInt((JSON.parse(body) as { recordTime: string }).recordTime) };
  }

  parties(): AsyncGenerator<readonly string[]> {
    return this.#walk(
      async ({ client, source, signal }, after) => {
        const { parties, next } = await client.listHostedParties(after, signal);
        return { source, rows: parties, next };
      },
      (party) => party,
    );
  }

  contracts(): AsyncGenerator<readonly Contract[]> {
    return this.#walk<Contract>(
      async ({ client, source, signal }, after) => {
        const { contracts, next } = await client.listHeldContracts(after, signal);
        const rows = contracts.map((given) => ({
          ...{ ...given, contractId: given.contractId as ContractId },
          createdAt: timeFromMicros(BigInt(given.createdAt)),
        }));
        // The id binds the content: contracts of one id are the same.
        return { source, rows: rows.filter((contract) => isAuthentic(this.#hash, contract)), next };
      },
      ({ contractId }) => contractId,
    );
  }

  /** Ranges of keys, one after the other: each as far as a quorum's answers reach. */
  async *#walk<T>(
    read: (asked: AskedSequencer, after: string) => Promise<Page<T>>,
    keyOf: (row: T) => string,
  ): AsyncGenerator<readonly T[]> {
    const { history, voices } = this.#parts.consensus.quorum;
    let after: string | null = "";
    for (let pages = 0; after !== null; pages++) {
      if (pages === MAX_STATE_PAGES) throw new Error(`the state has more than ${MAX_STATE_PAGES} pages`);
      const from: string = after;
      const answers: readonly Page<T>[] = await this.#askHaving((asked) => read(asked, from));
      const end = reachedBy(answers, history);
      const isWithin = (key: string) => key > from && (end === null || key <= end);
      const covering = answers.filter(({ next }) => next === null || (end !== null && next >= end));
      yield listAgreed(
        covering.map(({ rows }) => rows.filter((row) => isWithin(keyOf(row)))),
        { voices, keyOf },
      );
      if (end !== null && end <= from) throw new Error(`the state does not go on behind ${from}`);
      this.#noteLimiting(answers);
      after = end;
    }
  }

  /** Rejects if fewer than a quorum of those that have the item answer. */
  async #askHaving<T>(ask: (asked: AskedSequencer) => Promise<T>): Promise<readonly T[]> {
    const { history } = this.#parts.consensus.quorum;
    for (;;) {
      const leftOut = this.#limiting;
      const answers = await this.#ask(async (asked) => {
        if (leftOut.includes(asked.source)) throw new Error("it is left out");
        await this.#checkHaving(asked);
        return ask(asked);
      });
      if (answers.length >= history) return answers;
      if (leftOut.length === 0)
        throw new Error(`${answers.length} sequencers show the state, and ${history} are needed`);
      this.#limiting = [];
    }
  }

  async #checkHaving({ client, source, signal }: AskedSequencer): Promise<void> {
    if (this.#having.has(source)) return;
    const { end } = await client.listHostedParties("", signal);
    if (end.offset < this.#offset) throw new Error(`it lacks item ${this.#offset}`);
    this.#having.add(source);
  }

  /** A sequencer whose pages are short would make the walk endless. */
  #noteLimiting(answers: readonly Page<unknown>[]): void {
    const ends = answers.flatMap(({ source, next }) => (next === null ? [] : [{ source, next }]));
    const [lowest] = ends.toSorted((a, b) => (a.next < b.next ? -1 : 1));
    const isLower = answers.some(({ next }) => next === null || (lowest !== undefined && next > lowest.next));
    if (lowest === undefined || !isLower) return;
    const most = this.#parts.consensus.quorum.voices - 1;
    this.#limiting = [lowest.source, ...this.#limiting.filter((each) => each !== lowest.source)].slice(
      0,
      most,
    );
  }

  #ask<T>(ask: (asked: AskedSequencer) => Promise<T>): Promise<readonly T[]> {
    const { votes } = this.#parts.consensus;
    return askTrusted(this.#parts, ANSWER_MILLISECONDS, async (asked) => {
      const answer = await ask(asked);
      // A sequencer has one vote, even with several addresses.
      if (asked.client.sequencer === votes.sequencerAt(asked.source)) return answer;
      throw new Error("another sequencer than before answers there");
    });
  }
}

/** The last key up to which so many answers reach; null if that is the end. */
function reachedBy(answers: readonly { readonly next: string | null }[], needed: number): string | null {
  const whole = answers.filter(({ next }) => next === null).length;
  if (whole >= needed) return null;
  const parts = answers.flatMap(({ next }) => (next === null ? [] : [next]));
  return parts.toSorted((a, b) => (a < b ? 1 : -1))[needed - whole - 1] ?? null;
}

function listAgreed<T>(
  answers: readonly (readonly T[])[],
  { voices, keyOf }: { readonly voices: number; readonly keyOf: (row: T) => string },
): readonly T[] {
  const found = new Map<string, { row: T; votes: number }>();
  for (const rows of answers) {
    // A sequencer has one vote on a row, even if it lists the row twice.
    for (const [key, row] of new Map(rows.map((each) => [keyOf(each), each]))) {
      const known = found.get(key);
      if (known === undefined) found.set(key, { row, votes: 1 });
      else known.votes++;
    }
  }
  return [...found.values()].filter(({ votes }) => votes >= voices).map(({ row }) => row);
}
