/** Contracts that need upkeep: activity of apps, votes, transfers that wait, allocations, preapprovals. */

import { expect } from "vitest";
import { FeaturedAppRight } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { FeaturedAppRightV2 } from "../../packages/ledger/src/contracts/splice-api-featured-app-v2/featured-app-right.ts";
import { AllocationFactory } from "../../packages/ledger/src/contracts/splice-api-token-v1/allocation-instruction.ts";
import { TransferFactory } from "../../packages/ledger/src/contracts/splice-api-token-v1/transfer-instruction.ts";
import {
  type ActionRequiringConfirmation,
  AmuletRules,
  type ContractId,
  DsoRules,
  ExternalPartyAmuletRules,
  ExternalPartyConfigState,
  exerciseCommand,
  type Outcome,
  type PartyId,
  type Time,
  VoteRequest,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { Wallet } from "./wallet.ts";

export async function featureApp(network: SvNetwork, app: Wallet): Promise<ContractId> {
  await app.economy.feature();
  return network.only(FeaturedAppRight).contractId;
}

/** So many markers of the app's activity, in one transaction. */
export function markActivity(app: Wallet, right: ContractId, markers: number): Promise<Outcome> {
  const beneficiaries = [{ beneficiary: app.party, weight: decimal("1.0") }];
  const choice = "FeaturedAppRight_CreateActivityMarker";
  const command = exerciseCommand(FeaturedAppRightV2, right, choice, { beneficiaries, weight: null });
  return app.submit(new Array(markers).fill(command));
}

/** The first SV asks for a vote, and so many others vote as they are told. */
export async function holdVote(
  network: SvNetwork,
  action: ActionRequiringConfirmation,
  { yes, no = 0, effectiveAt = null }: { yes: number; no?: number; effectiveAt?: Time | null },
): Promise<void> {
  const reason = { url: "", body: "it is time" };
  const requester = network.first.party;
  const rules = () => network.only(DsoRules).contractId;
  const asked = { requester, action, reason, voteRequestTimeout: null, targetEffectiveAt: effectiveAt };
  const request = exerciseCommand(DsoRules, rules(), "DsoRules_RequestVote", asked);
  expect((await network.byHand(network.first, request)).verdict.kind).toBe("accepted");
  for (const [i, sv] of network.svs.slice(1, yes + no).entries()) {
    const vote = { sv: sv.party, accept: i < yes - 1, reason, optCastAt: null };
    const requestCid = network.only(VoteRequest).contractId;
    const command = exerciseCommand(DsoRules, rules(), "DsoRules_CastVote", { requestCid, vote });
    expect((await network.byHand(sv, command)).verdict.kind).toBe("accepted");
  }
}

function configContext(network: SvNetwork) {
  const state = network.active(ExternalPartyConfigState)[0]?.contractId as ContractId;
  const values = [["external-party-config-state", { tag: "AV_ContractId", value: state } as const]] as const;
  return { state, extraArgs: { context: { values }, meta: { values: [] } } };
}

/** Coin that the receiver has to accept. */
export function sendToken(
  network: SvNetwork,
  sender: Wallet,
  { receiver, amount, executeBefore }: { receiver: PartyId; amount: string; executeBefore: Time },
): Promise<Outcome> {
  const rules = network.only(ExternalPartyAmuletRules).contractId;
  const { state, extraArgs } = configContext(network);
  const transfer = {
    ...{ sender: sender.party, receiver, executeBefore, amount: decimal(amount) },
    instrumentId: { admin: network.dso, id: "Amulet" },
    requestedAt: network.now,
    inputHoldingCids: sender.coins().map(({ contractId }) => contractId),
    meta: { values: [] },
  };
  const argument = { expectedAdmin: network.dso, transfer, extraArgs };
  const command = exerciseCommand(TransferFactory, rules, "TransferFactory_Transfer", argument);
  return sender.submit([command], [rules, state]);
}

/** Coin put aside for a settlement by its own sender. */
export function allocateToken(
  network: SvNetwork,
  sender: Wallet,
  { receiver, amount, settleBefore }: { receiver: PartyId; amount: string; settleBefore: Time },
): Promise<Outcome> {
  const rules = network.only(ExternalPartyAmuletRules).contractId;
  const { state, extraArgs } = configContext(network);
  const instrumentId = { admin: network.dso, id: "Amulet" };
  const leg = { sender: sender.party, receiver, amount: decimal(amount), instrumentId };
  const settlement = {
    executor: sender.party,
    settlementRef: { id: "trade", cid: null },
    requestedAt: network.now,
    allocateBefore: settleBefore,
    settleBefore,
    meta: { values: [] },
  };
  const transferLeg = { ...leg, meta: { values: [] } };
  const argument = {
    expectedAdmin: network.dso,
    allocation: { settlement, transferLegId: "leg", transferLeg },
    requestedAt: network.now,
    inputHoldingCids: sender.coins().map(({ contractId }) => contractId),
    extraArgs,
  };
  const command = exerciseCommand(AllocationFactory, rules, "AllocationFactory_Allocate", argument);
  return sender.submit([command], [rules, state]);
}

export function preapprove(wallet: Wallet, expiresAt: Time): Promise<Outcome> {
  const { network, economy, party } = wallet;
  return economy.exercise("AmuletRules_CreateTransferPreapproval", {
    context: { amuletRules: network.only(AmuletRules).contractId, context: economy.context() },
    ...{ inputs: wallet.inputs(), receiver: party, provider: party, expiresAt, expectedDso: network.dso },
  });
}
