import { describe, expect, test } from "vitest";
import { testParty } from "../../../testing/sandbox.ts";
import { ledgerJson } from "../../daml/json-dialect.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { time } from "../../values/time.ts";
import { networkCatalogue } from "../network-catalogue.ts";
import { Allocation } from "./allocation.ts";
import { AllocationFactory } from "./allocation-instruction.ts";
import { AllocationRequest } from "./allocation-request.ts";
import { TransferFactory, TransferInstruction } from "./transfer-instruction.ts";

const [dso, alice, bob, venue] = ["DSO", "alice", "bob", "venue"].map(testParty) as [
  ReturnType<typeof testParty>,
  ReturnType<typeof testParty>,
  ReturnType<typeof testParty>,
  ReturnType<typeof testParty>,
];
const cid = (digit: string) => `00${digit.repeat(64)}ca101220${digit.repeat(64)}` as ContractId;
const instrumentId = { admin: dso, id: "Amulet" };
const noMeta = { values: {} };

const transfer = {
  sender: alice,
  receiver: bob,
  amount: "10.0000000000",
  instrumentId,
  requestedAt: "2026-01-01T00:00:00Z",
  executeBefore: "2026-01-02T00:00:00Z",
  inputHoldingCids: [cid("a")],
  meta: { values: { "splice.lfdecentralizedtrust.org/reason": "for the pizza" } },
};

const extraArgs = {
  context: {
    values: {
      "expire-lock": { tag: "AV_Bool", value: true },
      "external-party-config-state": { tag: "AV_ContractId", value: cid("b") },
    },
  },
  meta: noMeta,
};

const settlement = {
  executor: venue,
  settlementRef: { id: "trade", cid: cid("c") },
  requestedAt: "2026-01-01T00:00:00Z",
  allocateBefore: "2026-01-01T01:00:00Z",
  settleBefore: "2026-01-01T02:00:00Z",
  meta: noMeta,
};
const leg = { sender: alice, receiver: bob, amount: "10.0000000000", instrumentId, meta: noMeta };
const allocation = { settlement, transferLegId: "leg0", transferLeg: leg };

/** Arguments, results and views as clients of the ledger's JSON API write and read them. */
const forms = [
  [
    "the argument of a transfer",
    TransferFactory.choices.TransferFactory_Transfer.argument,
    { expectedAdmin: dso, transfer, extraArgs },
  ],
  [
    "a transfer that waits",
    TransferFactory.choices.TransferFactory_Transfer.result,
    {
      output: {
        tag: "TransferInstructionResult_Pending",
        value: { transferInstructionCid: cid("d") },
      },
      senderChangeCids: [cid("e")],
      meta: noMeta,
    },
  ],
  [
    "a transfer that failed",
    TransferInstruction.choices.TransferInstruction_Reject.result,
    {
      output: { tag: "TransferInstructionResult_Failed", value: {} },
      senderChangeCids: [],
      meta: noMeta,
    },
  ],
  [
    "the view of a transfer",
    TransferInstruction.view,
    {
      originalInstructionCid: null,
      transfer,
      status: { tag: "TransferPendingReceiverAcceptance", value: {} },
      meta: noMeta,
    },
  ],
  [
    "the view of a transfer that a registry works on",
    TransferInstruction.view,
    {
      originalInstructionCid: cid("d"),
      transfer,
      status: { tag: "TransferPendingInternalWorkflow", value: { pendingActions: [[dso, "approve"]] } },
      meta: noMeta,
    },
  ],
  [
    "the argument of an allocation",
    AllocationFactory.choices.AllocationFactory_Allocate.argument,
    {
      expectedAdmin: dso,
      allocation,
      requestedAt: "2026-01-01T00:00:00Z",
      inputHoldingCids: [cid("a")],
      extraArgs,
    },
  ],
  ["the view of an allocation", Allocation.view, { allocation, holdingCids: [cid("f")], meta: noMeta }],
  [
    "the view of a request for allocations",
    AllocationRequest.view,
    { settlement, transferLegs: { leg0: leg }, meta: noMeta },
  ],
] as const;

describe("the token standard's JSON", () => {
  test.each(forms)("%s is read and written as it stands", (_what, type, json) => {
    const value = type.fromJson(json, ledgerJson);
    expect(type.toJson(value as never, ledgerJson)).toEqual(json);
    const text = type.encode(value as never);
    expect(type.decode(JSON.parse(text))).toEqual(value);
  });

  test("means what it says", () => {
    const { argument } = TransferFactory.choices.TransferFactory_Transfer;
    const read = argument.fromJson({ expectedAdmin: dso, transfer, extraArgs }, ledgerJson);
    expect(read.transfer.amount).toBe(decimal("10.0"));
    expect(read.transfer.executeBefore).toBe(time("2026-01-02T00:00:00Z"));
    expect(read.extraArgs.context.values).toEqual([
      ["expire-lock", { tag: "AV_Bool", value: true }],
      ["external-party-config-state", { tag: "AV_ContractId", value: cid("b") }],
    ]);
  });

  test("an allocation request is known, and nothing of ours implements it", () => {
    expect(networkCatalogue.resolve(AllocationRequest.nameRef)).toEqual({
      kind: "interface",
      interface: AllocationRequest,
    });
    const templates = networkCatalogue.packages.flatMap((loaded) => loaded.templates);
    expect(templates.filter(({ interfaces }) => interfaces.has(AllocationRequest.id))).toEqual([]);
  });
});
