/** An item of the wallet's history as the user reads it, and as it is exported. */
import type { RefundReason, TransactionItem } from "@callsign/api";
import { compareAmounts, isNegative } from "../register/amounts.ts";

export const HISTORY_KINDS = [
  "sent",
  "received",
  "offered",
  "allocated",
  "name",
  "collected",
  "refund",
  "tap",
  "reward",
  "traffic",
  "preapproval",
  "payment",
  "returned",
  "notice",
  "other",
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

export interface HistoryRow {
  readonly eventId: string;
  readonly updateId: string;
  readonly date: string;
  readonly kind: HistoryKind;
  readonly choice: string;
  /** The change of the user's coin that is not locked; null for an item that changes none. */
  readonly amount: string | null;
  readonly others: readonly string[];
  readonly name: string | null;
  readonly refundReason: RefundReason | null;
  readonly description: string | null;
}

export function toHistoryRow(item: TransactionItem, party: string): HistoryRow {
  const { choice } = item.transaction_subtype;
  const common = {
    eventId: item.event_id,
    updateId: /^#([^:]*)/.exec(item.event_id)?.[1] ?? item.event_id,
    date: item.date,
    choice,
  };
  switch (item.transaction_type) {
    case "transfer":
      return { ...common, ...readTransfer(item, party), refundReason: null };
    case "balance_change": {
      const name = item.name ?? null;
      const refundReason = item.refund_reason ?? null;
      const amount = item.receivers[0]?.amount ?? null;
      const kind = refundReason === null ? kindOfChange(choice) : "refund";
      return { ...common, kind, amount, others: [], name, refundReason, description: null };
    }
    case "notification":
      return { ...common, ...NOTHING, kind: "notice", description: item.details };
    case "unknown":
      return { ...common, ...NOTHING, kind: "other" };
  }
}

const NOTHING = { amount: null, others: [], name: null, refundReason: null, description: null } as const;

type Transfer = Extract<TransactionItem, { readonly transaction_type: "transfer" }>;

function readTransfer(item: Transfer, party: string) {
  const isSender = item.sender.party === party;
  const amount = isSender
    ? item.sender.amount
    : (item.receivers.find((receiver) => receiver.party === party)?.amount ?? "0");
  const receiver = item.transfer_instruction_receiver ?? null;
  const parties = [item.sender, ...item.receivers].map((each) => each.party);
  const others = receiver === null ? parties : [...parties, receiver];
  const name = item.name ?? null;
  return {
    kind: kindOfTransfer(item, amount),
    amount,
    others: [...new Set(others)].filter((other) => other !== party),
    name,
    description: item.description ?? null,
  };
}

function kindOfTransfer(item: Transfer, amount: string): HistoryKind {
  const isNothing = compareAmounts(amount, "0") === 0;
  if ((item.name ?? null) !== null) return isNothing ? "collected" : "name";
  // The receiver of an offered transfer has yet to accept it.
  const isLocked = item.receivers.length === 0;
  if ((isNothing || isLocked) && (item.transfer_instruction_receiver ?? null) !== null) return "offered";
  switch (item.transaction_subtype.choice) {
    case "AmuletRules_BuyMemberTraffic":
      return "traffic";
    case "AmuletRules_CreateTransferPreapproval":
    case "TransferPreapproval_Renew":
      return "preapproval";
    case "WalletAppInstall_ExecuteBatch":
      return "reward";
    case "AppPaymentRequest_Accept":
    case "AcceptedAppPayment_Collect":
    case "SubscriptionRequest_AcceptAndMakePayment":
    case "SubscriptionInitialPayment_Collect":
    case "SubscriptionIdleState_MakePayment":
    case "SubscriptionPayment_Collect":
      return "payment";
    default:
      // Coin that nobody gets is locked for a settlement.
      return isLocked && isNegative(amount) ? "allocated" : kindOfSign(compareAmounts(amount, "0"));
  }
}

function kindOfSign(sign: number): HistoryKind {
  if (sign < 0) return "sent";
  return sign > 0 ? "received" : "other";
}

function kindOfChange(choice: string): HistoryKind {
  if (choice === "AmuletRules_DevNet_Tap") return "tap";
  if (choice === "AmuletRules_Mint") return "reward";
  return /_(Reject|Expire|Withdraw|Unlock|OwnerExpireLock|Cancel)\w*$/.test(choice) ? "returned" : "other";
}

/** The other side of a change that names no other party. */
export type Counterpart = "network" | "fee" | "name" | "locked" | "own" | "nobody";

/** Payments to the network itself, and its gifts and rewards, have no receiver or sender in the history. */
export function counterpartOf(kind: HistoryKind): Counterpart {
  switch (kind) {
    case "tap":
    case "reward":
    case "refund":
      return "network";
    case "traffic":
    case "preapproval":
      return "fee";
    case "name":
    case "collected":
      return "name";
    case "payment":
    case "offered":
    case "allocated":
    case "sent":
      return "locked";
    case "returned":
    case "received":
      return "own";
    case "notice":
    case "other":
      return "nobody";
  }
}

export interface HistoryFilter {
  readonly kind: HistoryKind | "all";
  readonly text: string;
}

/** The text is looked for in names, parties, descriptions and update ids. */
export function matchesFilter(row: HistoryRow, { kind, text }: HistoryFilter): boolean {
  if (kind !== "all" && row.kind !== kind) return false;
  const sought = text.trim().toLowerCase();
  if (sought === "") return true;
  const places = [row.name ?? "", row.description ?? "", row.updateId, ...row.others];
  return places.some((place) => place.toLowerCase().includes(sought));
}
