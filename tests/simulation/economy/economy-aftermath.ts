/**
 * The end of an economy: wallets end what has lapsed, the SVs finish their rounds. Then nothing is left that waits for
 * nobody: no locked coin, no request, no payment past its time, no coupon of a round that is gone.
 */

import { FeaturedAppActivityMarker } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletAllocation } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-allocation.ts";
import { AmuletTransferInstruction } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import { DevelopmentFundCoupon } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import { UnclaimedActivityRecord } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import { UnallocatedUnclaimedActivityRecord } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import {
  AcceptedAppPayment,
  AcceptedTransferOffer,
  type AnyTemplateDeclaration,
  AppPaymentRequest,
  BuyTrafficRequest,
  ClosedMiningRound,
  Confirmation,
  exerciseCommand,
  IssuingMiningRound,
  LockedAmulet,
  MemberTraffic,
  OpenMiningRound,
  SummarizingMiningRound,
  TransferOffer,
  TransferPreapproval,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
} from "../../../packages/ledger/src/index.ts";
import { DAY } from "../../../packages/ledger/src/values/duration.ts";
import { nextRoundDue, usableRound } from "../../../packages/ledger/testing/open-rounds.ts";
import { nothingIsStuck, windUp } from "../aftermath.ts";
import { hold } from "../audit/violation.ts";
import type { EconomyWorld } from "./economy-world.ts";
import { TRAFFIC_THRESHOLD, UNCLAIMED_THRESHOLD, workOnRounds } from "./round-work.ts";

/** From its opening to its end a round takes this many ticks at most, if SVs do their work at once. */
const TICKS_OF_A_ROUND = 10;
/** Three that are open, and four that wait to issue or do. */
const MOST_LIVE_ROUNDS = 3 + 4;

export function windUpEconomy(world: EconomyWorld): void {
  const { network } = world;
  network.advance(20n * DAY);
  settleRounds(world, 2);
  endWhatLapsed(world);
  windUp(world);
  settleRounds(world, TICKS_OF_A_ROUND);
}

/** The SVs at their best, tick by tick. */
function settleRounds(world: EconomyWorld, ticks: number): void {
  const { network } = world;
  for (let tick = 0; tick < ticks; tick++) {
    const due = nextRoundDue(network);
    if (due > network.now) network.advanceTo(due);
    // A piece of work may make another one due, such as coupons that expire and the round they were of.
    for (let times = 0; times < 4; times++) workOnRounds(world, 1);
  }
}

/** The wallets' automations expire offers, requests and payments. */
function endWhatLapsed({ network, accounts }: EconomyWorld): void {
  for (const account of accounts) {
    const { party, amuletRules } = account;
    for (const { contractId: cid, payload } of network.active(TransferOffer, party))
      if (payload.sender === party) account.byInstall("WalletAppInstall_TransferOffer_Expire", { cid });
    for (const { contractId: cid, payload } of network.active(AcceptedTransferOffer, party))
      if (payload.sender === party)
        account.byInstall("WalletAppInstall_AcceptedTransferOffer_Expire", { cid });
    for (const { contractId: requestCid } of network.active(BuyTrafficRequest, party))
      account.byInstall("WalletAppInstall_BuyTrafficRequest_Expire", { requestCid });
    for (const { contractId: cid, payload } of network.active(AppPaymentRequest, party))
      if (payload.sender === party) account.byInstall("WalletAppInstall_AppPaymentRequest_Expire", { cid });
    for (const { contractId, payload } of network.active(AcceptedAppPayment, party)) {
      if (payload.sender !== party) continue;
      const openMiningRound = usableRound(network);
      const context = { amuletRules, openMiningRound, featuredAppRight: null };
      const choice = "AcceptedAppPayment_Expire";
      const command = exerciseCommand(AcceptedAppPayment, contractId, choice, { context });
      account.submit([command], [amuletRules, openMiningRound]);
    }
  }
}

export function nothingIsLeft(world: EconomyWorld): void {
  const { network, auditor } = world;
  nothingIsStuck(world);
  const left = (template: AnyTemplateDeclaration) => network.active(template, network.dso).length;
  const none: readonly AnyTemplateDeclaration[] = [
    LockedAmulet,
    Confirmation,
    TransferPreapproval,
    DevelopmentFundCoupon,
    UnclaimedActivityRecord,
    UnallocatedUnclaimedActivityRecord,
    FeaturedAppActivityMarker,
    AmuletTransferInstruction,
    AmuletAllocation,
    SummarizingMiningRound,
    ClosedMiningRound,
  ];
  for (const template of none)
    hold(`no ${template.entity} is left`, left(template) === 0, () => `${left(template)}`);
  for (const template of [TransferOffer, AcceptedTransferOffer, BuyTrafficRequest, AppPaymentRequest]) {
    const there = network.active(template as AnyTemplateDeclaration);
    hold(`no ${template.entity} is past its time`, there.length === 0, () => `${there[0]?.contractId}`);
  }
  // A payment whose coin its owner took out by hand can never end, as with those for names (decision 0002).
  for (const { contractId, payload } of network.active(AcceptedAppPayment)) {
    const { lockedAmulet } = payload;
    const isTakenOut = !auditor.book.active.has(lockedAmulet) && auditor.takenOut.has(lockedAmulet);
    hold("no AcceptedAppPayment is past its time", isTakenOut, () => contractId);
  }
  const alive = [OpenMiningRound, IssuingMiningRound].flatMap((template) => {
    return network.active(template, network.dso).map(({ payload }) => payload.round.number);
  });
  hold("no more rounds than are alive", alive.length <= MOST_LIVE_ROUNDS, () => alive.join());
  for (const [contractId, { round }] of auditor.rewards.coupons.live)
    hold(
      "I13 coupons are of rounds that are alive",
      alive.includes(round),
      () => `${contractId} of ${round}`,
    );
  hold(
    "unclaimed rewards are merged",
    left(UnclaimedReward) <= UNCLAIMED_THRESHOLD,
    () => `${left(UnclaimedReward)}`,
  );
  const fund = left(UnclaimedDevelopmentFundCoupon);
  hold("the fund is merged", fund <= UNCLAIMED_THRESHOLD, () => `${fund}`);
  const members = Map.groupBy(network.active(MemberTraffic, network.dso), ({ payload }) => payload.memberId);
  const most = Math.max(0, ...[...members.values()].map(({ length }) => length));
  hold("purchases of traffic are merged", most <= TRAFFIC_THRESHOLD, () => `${most}`);
}
