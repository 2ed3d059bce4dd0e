/**
 * Items of the history, and contracts that stay for as long as a name does, as packed texts. Their keys stand in columns of the row: the
 * packed text does not hold those ids once more. Rows of earlier releases have texts that are not packed.
 */
import type { TransactionItem } from "@callsign/api";
import { SubscriptionIdleState } from "@callsign/ledger";
import type { LoadedDictionaries, SqlRow } from "@callsign/node";
import { templateKey } from "./event-values.ts";
import type { KnownContract } from "./known-contracts.ts";

interface ItemKeys {
  readonly party: string;
  readonly eventId: string;
}

export function packHistoryItem(
  dictionaries: LoadedDictionaries,
  item: TransactionItem,
  keys: ItemKeys,
): Uint8Array {
  const kind = `${item.transaction_type} ${item.transaction_subtype.choice}`;
  return dictionaries.pack(kind, JSON.stringify(item), listKnown(keys));
}

export function readHistoryItem(row: SqlRow, dictionaries: LoadedDictionaries): TransactionItem {
  const { packed, item } = row;
  if (!(packed instanceof Uint8Array)) return JSON.parse(String(item));
  const keys = { party: String(row["party"]), eventId: String(row["event_id"]) };
  return JSON.parse(dictionaries.unpack(packed, listKnown(keys)));
}

/** An event's id begins with its update's. */
function listKnown({ party, eventId }: ItemKeys): string {
  return `${party} ${eventId}`;
}

export interface ContractColumns {
  readonly template: string;
  readonly payload: string;
  readonly packed: Uint8Array | null;
}

const LASTING = templateKey(SubscriptionIdleState);

/** Coins and payments come and go: they are read more often than they are kept. */
export function packKnown(
  dictionaries: LoadedDictionaries,
  { template, payload }: KnownContract,
  contractId: string,
): ContractColumns {
  const text = JSON.stringify(payload);
  if (template !== LASTING) return { template, payload: text, packed: null };
  return {
    template: "",
    payload: "",
    packed: dictionaries.pack(template, `${template}\n${text}`, contractId),
  };
}

export function readKnown(row: SqlRow, dictionaries: LoadedDictionaries): KnownContract {
  const { packed, template, payload } = row;
  if (!(packed instanceof Uint8Array))
    return { template: String(template), payload: JSON.parse(String(payload)) };
  const [key = "", text = ""] = dictionaries.unpack(packed, String(row["contract_id"])).split("\n");
  return { template: key, payload: JSON.parse(text) };
}
