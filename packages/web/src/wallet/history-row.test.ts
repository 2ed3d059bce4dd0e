import type { TransactionItem } from "@callsign/api";
import { expect, test } from "vitest";
import { formatHistoryCsv, formatHistoryJson } from "./history-export.ts";
import { counterpartOf, matchesFilter, toHistoryRow } from "./history-row.ts";

const ME = "me::1220";
const BOB = "bob::1220";

function subtype(choice: string) {
  return { template_id: "t", choice, amulet_operation: null, interface_id: null };
}

function transfer(
  choice: string,
  given: Partial<Extract<TransactionItem, { sender: unknown }>>,
): TransactionItem {
  return {
    transaction_type: "transfer",
    transaction_subtype: subtype(choice),
    event_id: "#1220ab:3",
    date: "2026-01-01T00:00:00Z",
    sender: { party: ME, amount: "-5.0000000000" },
    receivers: [{ party: BOB, amount: "5.0000000000" }],
    holding_fees: "0",
    app_rewards_used: "0",
    validator_rewards_used: "0",
    sv_rewards_used: "0",
    development_fund_coupons_used: "0",
    transfer_instruction_receiver: null,
    transfer_instruction_amount: null,
    transfer_instruction_cid: null,
    description: null,
    name: null,
    ...given,
  };
}

function change(
  choice: string,
  given: Partial<Extract<TransactionItem, { refund_reason: unknown }>>,
): TransactionItem {
  return {
    transaction_type: "balance_change",
    transaction_subtype: subtype(choice),
    event_id: "#1220ab:3",
    date: "2026-01-01T00:00:00Z",
    receivers: [{ party: ME, amount: "7.0000000000" }],
    transfer_instruction_cid: null,
    name: null,
    refund_reason: null,
    ...given,
  };
}

test("a transfer is sent or received by the change of the user's own coin", () => {
  const item = transfer("TransferPreapproval_Send", {});
  expect(toHistoryRow(item, ME)).toMatchObject({ kind: "sent", amount: "-5.0000000000", others: [BOB] });
  expect(toHistoryRow(item, BOB)).toMatchObject({ kind: "received", amount: "5.0000000000", others: [ME] });
});

test.each([
  [transfer("SubscriptionRequest_AcceptAndMakePayment", { name: "a.unverified.cns" }), "name"],
  [
    transfer("AnsRules_CollectInitialEntryPayment", {
      name: "a.unverified.cns",
      sender: { party: ME, amount: "0.0000000000" },
    }),
    "collected",
  ],
  [
    transfer("TransferFactory_Transfer", {
      sender: { party: BOB, amount: "-6.0000000000" },
      receivers: [],
      transfer_instruction_receiver: ME,
    }),
    "offered",
  ],
  [
    transfer("TransferFactory_Transfer", {
      sender: { party: BOB, amount: "0.0000000000" },
      receivers: [{ party: ME, amount: "0.0000000000" }],
      transfer_instruction_receiver: ME,
    }),
    "offered",
  ],
  [transfer("TransferFactory_Transfer", { receivers: [], transfer_instruction_receiver: BOB }), "offered"],
  [transfer("AmuletRules_Transfer", { receivers: [] }), "allocated"],
  [transfer("AmuletRules_BuyMemberTraffic", {}), "traffic"],
  [transfer("SubscriptionIdleState_MakePayment", {}), "payment"],
  [change("AmuletRules_DevNet_Tap", {}), "tap"],
  [
    change("SubscriptionInitialPayment_Reject", { name: "a.unverified.cns", refund_reason: "lost_race" }),
    "refund",
  ],
  [change("TransferInstruction_Withdraw", {}), "returned"],
  [change("LockedAmulet_OwnerExpireLock", {}), "returned"],
] as const)("kind %#", (item, kind) => {
  expect(toHistoryRow(item, ME).kind).toBe(kind);
});

test.each([
  [transfer("AmuletRules_BuyMemberTraffic", { receivers: [] }), "fee"],
  [transfer("AmuletRules_CreateTransferPreapproval", { receivers: [] }), "fee"],
  [transfer("AnsRules_CollectInitialEntryPayment", { receivers: [], name: "a.unverified.cns" }), "name"],
  [change("AmuletRules_DevNet_Tap", {}), "network"],
  [change("LockedAmulet_OwnerExpireLock", {}), "own"],
] as const)("a change without another party says who the other side is: %#", (item, counterpart) => {
  const { others, kind } = toHistoryRow(item, ME);
  expect([others, counterpartOf(kind)]).toEqual([[], counterpart]);
});

test("the update id is the part of the event id that other pages know", () => {
  expect(toHistoryRow(transfer("x", {}), ME).updateId).toBe("1220ab");
});

test("a filter looks into names, parties and descriptions", () => {
  const row = toHistoryRow(transfer("x", { description: "Rent for May" }), ME);
  expect(matchesFilter(row, { kind: "all", text: "rent" })).toBe(true);
  expect(matchesFilter(row, { kind: "all", text: "BOB::" })).toBe(true);
  expect(matchesFilter(row, { kind: "received", text: "" })).toBe(false);
  expect(matchesFilter(row, { kind: "sent", text: "june" })).toBe(false);
});

test("a spreadsheet runs nothing that others wrote, and amounts stay numbers", () => {
  const row = toHistoryRow(transfer("x", { description: '=HYPERLINK("http://evil.example","a")' }), ME);
  const [, line = ""] = formatHistoryCsv([row]).split("\r\n");
  expect(line).toContain(`"'=HYPERLINK(""http://evil.example"",""a"")"`);
  expect(line).toContain(",-5.0000000000,");
});

test("JSON has every row", () => {
  const row = toHistoryRow(transfer("x", {}), ME);
  expect(JSON.parse(formatHistoryJson([row]))).toEqual([row]);
});
