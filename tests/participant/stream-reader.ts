/** Streams of a participant, as their readers see them. */
import type { Transaction, TreeUpdate, Update } from "../../packages/api/src/index.ts";
import { type Opening, WebsocketReader } from "../../packages/node/testing/websocket-reader.ts";
import { tokenFor } from "../support/participants.ts";
import { everythingOf } from "./preferences.ts";

export async function openStream(
  url: string,
  user: string,
  request: unknown,
  { claims = {}, ...opening }: Opening & { readonly claims?: Record<string, unknown> } = {},
): Promise<WebsocketReader> {
  return new WebsocketReader(url, { token: await tokenFor(user, claims), request, ...opening });
}

/** All that a party sees from an offset on, with the creations and archivals, or whole. */
export function updatesOf(party: string, range: object, shape: "ACS_DELTA" | "LEDGER_EFFECTS" = "ACS_DELTA") {
  const includeTransactions = {
    eventFormat: everythingOf(party),
    transactionShape: `TRANSACTION_SHAPE_${shape}`,
  };
  return { ...range, updateFormat: { includeTransactions } };
}

export function transactionOf(frame: unknown): Transaction | undefined {
  const { update } = frame as Update;
  return update !== undefined && "Transaction" in update ? update.Transaction.value : undefined;
}

export function treeOf(frame: unknown) {
  const { update } = frame as TreeUpdate;
  return update !== undefined && "TransactionTree" in update ? update.TransactionTree.value : undefined;
}

export function checkpointOf(frame: unknown): number | undefined {
  const { update, completionResponse } = frame as {
    readonly update?: object;
    readonly completionResponse?: object;
  };
  const { OffsetCheckpoint } = (update ?? completionResponse ?? {}) as {
    readonly OffsetCheckpoint?: { readonly value: { readonly offset: number } };
  };
  return OffsetCheckpoint?.value.offset;
}

/** Transactions up to the one at an offset, which must come. */
export async function readUpTo(reader: WebsocketReader, offset: number): Promise<readonly Transaction[]> {
  const seen: Transaction[] = [];
  for (;;) {
    const transaction = await reader.next(transactionOf);
    seen.push(transaction);
    if (transaction.offset >= offset) return seen;
  }
}
