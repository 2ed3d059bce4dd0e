import { expect, test } from "vitest";
import { alice, bob } from "../../../testing/subscription-fixture.ts";
import { WalletNetwork } from "../../../testing/wallet-fixture.ts";
import { ledgerJson } from "../../daml/json-dialect.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import { time } from "../../values/time.ts";
import { AmuletOperation, AmuletOperationOutcome } from "./declarations/amulet-operation.ts";

const network = new WalletNetwork();
const cid = network.amuletRules;

const operations: readonly (readonly [AmuletOperation, unknown])[] = [
  [{ tag: "CO_AppPayment", value: cid }, cid],
  [{ tag: "CO_CompleteAcceptedTransfer", value: cid }, cid],
  [{ tag: "CO_SubscriptionAcceptAndMakeInitialPayment", value: cid }, cid],
  [{ tag: "CO_SubscriptionMakePayment", value: cid }, cid],
  [{ tag: "CO_MergeTransferInputs", value: {} }, {}],
  [
    {
      tag: "CO_BuyMemberTraffic",
      value: {
        trafficAmount: 200_000n,
        memberId: "PAR::a::1220",
        synchronizerId: "s::1220",
        migrationId: 0n,
        minTopupInterval: { microseconds: MINUTE },
        topupStateCid: cid,
      },
    },
    {
      trafficAmount: "200000",
      memberId: "PAR::a::1220",
      synchronizerId: "s::1220",
      migrationId: "0",
      minTopupInterval: { microseconds: "60000000" },
      topupStateCid: cid,
    },
  ],
  [{ tag: "CO_CompleteBuyTrafficRequest", value: { trafficRequestCid: cid } }, { trafficRequestCid: cid }],
  [{ tag: "CO_Tap", value: { tapAmount: decimal("7.5") } }, { tapAmount: "7.5000000000" }],
  [{ tag: "ExtAmuletOperation", value: { dummyUnitField: {} } }, { dummyUnitField: {} }],
  [
    {
      tag: "CO_CreateExternalPartySetupProposal",
      value: { externalParty: bob, preapprovalExpiresAt: time("2026-01-02T00:00:00Z") },
    },
    { externalParty: bob, preapprovalExpiresAt: "2026-01-02T00:00:00Z" },
  ],
  [
    {
      tag: "CO_AcceptTransferPreapprovalProposal",
      value: { preapprovalProposalCid: cid, expiresAt: time("2026-01-02T00:00:00Z") },
    },
    { preapprovalProposalCid: cid, expiresAt: "2026-01-02T00:00:00Z" },
  ],
  [
    {
      tag: "CO_RenewTransferPreapproval",
      value: { previousApprovalCid: cid, newExpiresAt: time("2026-01-02T00:00:00Z") },
    },
    { previousApprovalCid: cid, newExpiresAt: "2026-01-02T00:00:00Z" },
  ],
  [
    {
      tag: "CO_TransferPreapprovalSend",
      value: {
        transferPreapprovalCid: cid,
        providerFeaturedAppRightCid: cid,
        amount: decimal("1.0"),
        description: "for tea",
      },
    },
    {
      transferPreapprovalCid: cid,
      providerFeaturedAppRightCid: cid,
      amount: "1.0000000000",
      description: "for tea",
    },
  ],
];

test.each(operations)(
  "the operation %o reads and writes as clients of Splice know it",
  (operation, value) => {
    const json = { tag: operation.tag, value };
    expect(AmuletOperation.toJson(operation, ledgerJson)).toEqual(json);
    expect(AmuletOperation.fromJson(json, ledgerJson)).toEqual(operation);
  },
);

test("operations are ordered as Splice declares them", () => {
  const inOrder = operations.map(([operation]) => operation);
  expect(inOrder.toReversed().toSorted(AmuletOperation.compare)).toEqual(inOrder);
});

test("an outcome of two parts is a pair", () => {
  const trackingInfo = { trackingId: "t", endUserParty: alice };
  const outcome = { tag: "COO_CompleteBuyTrafficRequest", value: { _1: cid, _2: trackingInfo } } as const;
  expect(AmuletOperationOutcome.toJson(outcome, ledgerJson)).toEqual(outcome);
});
