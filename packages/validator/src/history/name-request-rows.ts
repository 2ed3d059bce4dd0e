/** The table of requests for names. Steps of a request are written as often as updates are read, with the same result. */
import type { NameRequest } from "@callsign/api";
import { formatInstant, parseTime, type Time } from "@callsign/ledger";
import {
  indexedText,
  insertInto,
  type Sql,
  type SqlRow,
  type SqlValue,
  type SqlValues,
  type Store,
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

const insertRows = insertInto(
  "name_requests",
  "reference, party, purpose, content, entry, requested_at, ledger_offset",
  "on conflict (reference) do nothing",
);

/** A take-up is known before the context that is created when it is accepted. */
export async function insertNameRequests(
  sql: Sql,
  requests: ReadonlyMap<string, NewNameRequest>,
): Promise<void> {
  const rows = [...requests].map(([reference, request]): SqlValues => {
    const { party, purpose, name, url, description, entry, createdAt, offset } = request;
    const content = JSON.stringify({ name, url, description });
    return [reference, party, purpose, content, entry, readTime(createdAt), BigInt(offset)];
  });
  await insertRows(sql, rows);
}

/** Requests of others have no row. */
export async function changeNameRequests(sql: Sql, changes: readonly NameRequestChange[]): Promise<void> {
  for (const { reference, step, at, updateId, offset } of changes) {
    const coin = (amount: string): Coin => ({ amount, at, updateId });
    const [column, value] =
      step.kind === "paid"
        ? (["payment", coin(step.amount)] as const)
        : ([
            "ending",
            {
              ...{ state: step.state, reason: step.reason, at },
              refund: step.refund === null ? null : coin(step.refund),
            } satisfies End,
          ] as const);
    await sql.run(
      `update name_requests set ${column} = $1, ledger_offset = $2 where reference = $3`,
      JSON.stringify(value),
      BigInt(offset),
      reference,
    );
  }
}

/** Requests, newest first: those behind the request if one is given, and none if the party has no such request. */
export async function listNameRequests(
  store: Store,
  party: string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
): Promise<readonly NameRequest[]> {
  const where = ["party = $1"];
  const parameters: SqlValue[] = [party];
  if (after !== null) {
    const last = await store.get(
      "select requested_at, reference from name_requests where party = $1 and reference = $2",
      party,
      indexedText(after),
    );
    if (last === undefined) return [];
    where.push("(requested_at, reference) < ($2, $3)");
    parameters.push(last["requested_at"] ?? null, last["reference"] ?? null);
  }
  const rows = await store.all(
    `select * from name_requests where ${where.join(" and ")}
     order by requested_at desc, reference desc limit $${parameters.length + 1}`,
    ...parameters,
    BigInt(limit),
  );
  return rows.map(readRequest);
}

/** The request that the contracts of a subscription refer to. */
export async function findNameRequest(
  store: Store,
  party: string,
  reference: string,
): Promise<NameRequest | undefined> {
  const row = await store.get(
    "select * from name_requests where party = $1 and reference = $2",
    party,
    indexedText(reference),
  );
  return row === undefined ? undefined : readRequest(row);
}

/** The last request to take up that entry. */
export async function findTakeUp(
  store: Store,
  party: string,
  entry: string,
): Promise<NameRequest | undefined> {
  const row = await store.get(
    `select * from name_requests where party = $1 and entry = $2
     order by requested_at desc, reference desc limit 1`,
    party,
    entry,
  );
  return row === undefined ? undefined : readRequest(row);
}

function readRequest(row: SqlRow): NameRequest {
  const read = (column: string) => {
    const text = row[column];
    return typeof text === "string" ? JSON.parse(text) : null;
  };
  const payment: Coin | null = read("payment");
  const ending: End | null = read("ending");
  const purpose = String(row["purpose"]) as NameRequest["purpose"];
  const open = payment !== null ? "paid" : purpose === "take_up" ? "requested" : "waiting_for_payment";
  const state = ending?.state ?? open;
  const reason = ending?.reason ?? null;
  const { name, url, description } = read("content");
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
