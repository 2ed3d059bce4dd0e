/**
 * A validator buys traffic for a member. A top-up goes by a state that keeps purchases apart in time. On a DevNet a
 * top-up taps exactly what it costs and pays with that alone, so that a validator's traffic never depends on its coin.
 */
import { requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { fetchAndArchive, requireGroup } from "../checks/checked-fetch.ts";
import { forDso, forMemberTraffic } from "../checks/contract-group.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { PaymentTransferContext, TransferInput } from "../splice-amulet/declarations/transfer.ts";
import { trafficCost } from "../splice-amulet/traffic/traffic-cost.ts";
import type { MemberTrafficPurchase } from "./declarations/amulet-operation.ts";
import type { WalletAppInstall } from "./declarations/install.ts";
import { ValidatorTopUpState } from "./declarations/traffic-purchases.ts";

export interface ToppedUpTraffic {
  readonly purchasedTraffic: ContractId;
  readonly senderChangeAmulet: ContractId | null;
}

export function buyMemberTraffic(
  update: Update,
  { dsoParty: dso, validatorParty: validator }: WalletAppInstall,
  purchase: MemberTrafficPurchase,
  {
    context,
    inputs,
  }: { readonly context: PaymentTransferContext; readonly inputs: readonly TransferInput[] },
): ToppedUpTraffic {
  const { trafficAmount, memberId, synchronizerId, migrationId, topupStateCid } = purchase;
  if (topupStateCid !== null) recordTopUp(update, { dso, validator }, purchase, topupStateCid);
  const { amuletRules: rulesCid, context: transferContext } = context;
  const { openMiningRound } = transferContext;
  const rules = update.exercise(AmuletRules, rulesCid, "AmuletRules_Fetch", { p: validator });
  requireGroup(forDso(dso), rules, `AmuletRules ${rulesCid}`);
  let payWith = inputs;
  if (rules.isDevNet && topupStateCid !== null) {
    const { amulet: amount } = trafficCost(update, rules, trafficAmount, {
      openMiningRound,
      reader: validator,
    });
    const tap = { receiver: validator, amount, openRound: openMiningRound };
    const { amuletSum } = update.exercise(AmuletRules, rulesCid, "AmuletRules_DevNet_Tap", tap);
    payWith = [{ tag: "InputAmulet", value: amuletSum.amulet }];
  }
  return update.exercise(AmuletRules, rulesCid, "AmuletRules_BuyMemberTraffic", {
    inputs: payWith,
    context: transferContext,
    provider: validator,
    memberId,
    synchronizerId,
    migrationId,
    trafficAmount,
    expectedDso: dso,
  });
}

function recordTopUp(
  update: Update,
  { dso, validator }: { readonly dso: PartyId; readonly validator: PartyId },
  { memberId, synchronizerId, migrationId, minTopupInterval }: MemberTrafficPurchase,
  stateCid: ContractId,
): void {
  const { now } = update;
  const ofMember = forMemberTraffic({ dso, memberId, synchronizerId, migrationId });
  const state = fetchAndArchive(update, ValidatorTopUpState, stateCid, ofMember);
  requireThat("validator party and ValidatorTopUpState match", validator === state.validator);
  const nextAllowed = addDuration(state.lastPurchasedAt, minTopupInterval.microseconds);
  requireThat("enough time has elapsed since the last topup", nextAllowed <= now);
  update.create(ValidatorTopUpState, { ...state, lastPurchasedAt: now });
}
