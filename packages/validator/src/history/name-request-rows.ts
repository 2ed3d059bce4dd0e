/**
 * The table of requests for names. Steps of a request are written as often as updates are read, with the same result. The parts that no
 * query looks at are a packed text; requests of earlier releases have columns of text until their next step.
 */
import type { NameRequest } from "@callsign/api";
import { formatInstant, parseTime, type Time } from "@callsign/ledger";
import {
  indexedText,
  insertInto,
  type LoadedDictionaries,
  type Sql,
  type SqlRow,
  type SqlValue,
  type SqlValues,
  type Store,
  type StoreDictionaries,
} from "@callsign/node";
import type { NameRequestChange, NameRequestEnd } from "./name-requests.ts";
import type { NewNameRequest } from "./new-name-request.ts";

interface Coin {
  readonly amount: string;
  readonly at: string;
  readonly updateId: string;
}

interface End {
  readonly state: NameRequestEnd;
  readonly reason: NameRequest["reason"];
  readonly at: string;
  readonly refund: Coin | null;
}

interface RequestParts {
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly payment: Coin | null;
  readonly ending: End | null;
}

interface RequestKeys {
  readonly reference: string;
  readonly party: string;
  readonly purpose: string;
}

const insertRows = insertInto(
  "name_requests",
  "reference, party, purpose, content, entry, requested_at, ledger_offset, packed",
  "on conflict (reference) do nothing",
);

/** A take-up is known before the context that is created when it is accepted. */
export async function insertNameRequests(
  sql: Sql,
  requests: ReadonlyMap<string, NewNameRequest>,
  dictionaries: LoadedDictionaries,
): Promise<void> {
  const rows = [...requests].map(([reference, request]): SqlValues => {
    const { party, purpose, name, url, description, entry, createdAt, offset } = request;
    const parts = { name, url, description, payment: null, ending: null };
    const packed = packParts(dictionaries, parts, { reference, party, purpose });
    return [reference, party, purpose, "", entry, readTime(createdAt), BigInt(offset), packed];
  });
  await insertRows(sql, rows);
}

/** Requests of others have no row. */
export async function changeNameRequests(
  sql: Sql,
  changes: readonly NameRequestChange[],
  dictionaries: LoadedDictionaries,
): Promise<void> {
  for (const { reference, step, at, updateId, offset } of changes) {
    const row = await sql.get("select * from name_requests where reference = $1", reference);
    if (row === undefined) continue;
    const coin = (amount: string): Coin => ({ amount, at, updateId });
    const changed: Partial<RequestParts> =
      step.kind === "paid"
        ? { payment: coin(step.amount) }
        : {
            ending: {
              ...{ state: step.state, reason: step.reason, at },
              refund: step.refund === null ? null : coin(step.refund),
            },
          };
    const parts = { ...readParts(row, dictionaries), ...changed };
    await sql.run(
      `update name_requests set content = '', payment = null, ending = null, packed = $1, ledger_offset = $2
       where reference = $3`,
      packParts(dictionaries, parts, keysOf(row)),
      BigInt(offset),
      reference,
    );
  }
}

/** Requests in one state are alike. */
function packParts(dictionaries: LoadedDictionaries, parts: RequestParts, keys: RequestKeys): Uint8Array {
  const state = parts.ending?.state ?? (parts.payment === null ? "open" : "paid");
  return dictionaries.pack(`${keys.purpose} ${state}`, JSON.stringify(parts), listKnown(keys));
}

function readParts(row: SqlRow, dictionaries: LoadedDictionaries): RequestParts {
  const { packed } = row;
  if (packed instanceof Uint8Array) return JSON.parse(dictionaries.unpack(packed, listKnown(keysOf(row))));
  const read = (column: string) => {
    const text = row[column];
    return typeof text === "string" ? JSON.parse(text) : null;
  };
  return { ...read("content"), payment: read("payment"), ending: read("ending") };
}

function keysOf(row: SqlRow): RequestKeys {
  const [reference, party, purpose] = [row["reference"], row["party"], row["purpose"]];
  return { reference: String(reference), party: String(party), purpose: String(purpose) };
}

function listKnown({ party, reference }: RequestKeys): string {
  return `${party} ${reference}`;
}

export class NameRequestReads {
  readonly #store: Store;
  readonly #dictionaries: StoreDictionaries;

  constructor(store: Store, dictionaries: StoreDictionaries) {
    this.#store = store;
    this.#dictionaries = dictionaries;
  }

  /** Requests, newest first: those behind the request if one is given, and none if the party has no such request. */
  async list(
    party: string,
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<readonly NameRequest[]> {
    const where = ["party = $1"];
    const parameters: SqlValue[] = [party];
    if (after !== null) {
      const last = await this.#store.get(
        "select requested_at, reference from name_requests where party = $1 and reference = $2",
        party,
        indexedText(after),
      );
      if (last === undefined) return [];
      where.push("(requested_at, reference) < ($2, $3)");
      parameters.push(last["requested_at"] ?? null, last["reference"] ?? null);
    }
    return await this.#read(
      `select * from name_requests where ${where.join(" and ")}
       order by requested_at desc, reference desc limit $${parameters.length + 1}`,
      ...[...parameters, BigInt(limit)],
    );
  }

  /** The request that the contracts of a subscription refer to. */
  async find(party: string, reference: string): Promise<NameRequest | undefined> {
    const [found] = await this.#read(
      "select * from name_requests where party = $1 and reference = $2",
      party,
      indexedText(reference),
    );
    return found;
  }

  /** The last request to take up that entry. */
  async findTakeUp(party: string, entry: string): Promise<NameRequest | undefined> {
    const [found] = await this.#read(
      `select * from name_requests where party = $1 and entry = $2
       order by requested_at desc, reference desc limit 1`,
      party,
      entry,
    );
    return found;
  }

  /** Dictionaries are read behind the rows: those of the rows are among them. */
  async #read(statement: string, ...parameters: SqlValues): Promise<readonly NameRequest[]> {
    const rows = await this.#store.all(statement, ...parameters);
    const dictionaries = await this.#dictionaries.load(this.#store);
    return rows.map((row) => readRequest(row, dictionaries));
  }
}

function readRequest(row: SqlRow, dictionaries: LoadedDictionaries): NameRequest {
  const { name, url, description, payment, ending } = readParts(row, dictionaries);
  const purpose = String(row["purpose"]) as NameRequest["purpose"];
  const open = payment !== null ? "paid" : purpose === "take_up" ? "requested" : "waiting_for_payment";
  const state = ending?.state ?? open;
  const reason = ending?.reason ?? null;
  return {
    ...{ id: String(row["reference"]), purpose, name, url, description },
    requestedAt: formatInstant(row["requested_at"] as Time),
    ...{ state, reason, explanation: explain({ purpose, state, reason }) },
    endedAt: ending === null ? null : formatInstant(readTime(ending.at)),
    payment: payment === null ? null : formatCoin(payment),
    refund: ending?.refund ? formatCoin(ending.refund) : null,
  };
}

function formatCoin({ amount, at, updateId }: Coin): Coin {
  return { amount, at: formatInstant(readTime(at)), updateId };
}

const REASONS: Readonly<Record<NonNullable<NameRequest["reason"]>, string>> = {
  lost_race: "Somebody else held the name, or had paid for it earlier.",
  invalid_name: "The name breaks the rules for names.",
  invalid_url: "The url breaks the rules for urls.",
  invalid_description: "The description breaks the rules for descriptions.",
  too_late: "The SVs could not decide while the round of the payment was open.",
  not_collected: "Nobody collected the payment before its lock ran out.",
};

function explain({ purpose, state, reason }: Pick<NameRequest, "purpose" | "state" | "reason">): string {
  switch (state) {
    case "waiting_for_payment":
      return "Accept the subscription request, which pays for the name.";
    case "paid":
      return "The payment is locked, and the SVs decide.";
    case "requested":
      return "The SVs decide.";
    case "registered":
      return purpose === "take_up" ? "The name was taken up again." : "The name was registered.";
    case "given_back":
    case "expired":
      return `The payment was given back. ${reason === null ? "" : REASONS[reason]}`.trim();
    case "rejected":
      return "The buyer rejected the subscription request.";
    case "withdrawn":
      return purpose === "take_up"
        ? "The holder withdrew the request."
        : "The SVs withdrew the subscription request, because nobody answered it.";
    case "refused":
      return "The SVs could not accept the request: the entry had ended, had a subscription, or the terms had changed.";
  }
}

function readTime(text: string): Time {
  const time = parseTime(text);
  if (!time.ok) throw new Error(time.error);
  return time.value;
}
