/** The SVs' work on rounds and rewards, each task by any of them: now all of it, now some of it, now late. */

import { FeaturedAppActivityMarker } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletAllocation } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-allocation.ts";
import { AmuletTransferInstruction } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import { DevelopmentFundCoupon } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import { ExternalPartyAmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { UnclaimedActivityRecord } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import { onAmuletRules } from "../../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import { UnallocatedUnclaimedActivityRecord } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import {
  AmuletRules,
  ClosedMiningRound,
  Confirmation,
  type ContractId,
  expiryBatches,
  IssuingMiningRound,
  isRoundArchivable,
  LockedAmulet,
  MemberTraffic,
  SummarizingMiningRound,
  TransferPreapproval,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
} from "../../../packages/ledger/src/index.ts";
import { nextRoundDue, usableRound } from "../../../packages/ledger/testing/open-rounds.ts";
import { couponsLeftOf, nextSvRewards, summaryOf } from "../../../packages/ledger/testing/round-coupons.ts";
import type { SvActor } from "../../../packages/ledger/testing/sv-actor.ts";
import { hold } from "../audit/violation.ts";
import type { EconomyWorld } from "./economy-world.ts";
import { agree } from "./quorum-actions.ts";

/** A piece of work, done with the eagerness given: 1 is everything, at once, by everybody. */
type Work = (world: EconomyWorld, eagerness: number) => void;

/** Pieces above these numbers are merged, as the network's rules have it. */
export const UNCLAIMED_THRESHOLD = 10;
export const TRAFFIC_THRESHOLD = 5;
/** So many at once. */
const MERGED = 20;

function advance({ random, network, dso }: EconomyWorld): void {
  if (nextRoundDue(network) > network.now) return;
  const { verdict } = random.pick(dso.svs).advanceRound();
  hold("a round that is due opens", verdict.kind === "accepted", () => JSON.stringify(verdict));
}

/** Each SV receives its rewards for the oldest round it can, for itself and for other beneficiaries. */
const receive: Work = ({ random, network, dso, accounts }, eagerness) => {
  const some = () => {
    const others = random.some(accounts).slice(0, 2);
    return others.map(({ party }) => ({ beneficiary: party, weight: BigInt(random.between(1, 6000)) }));
  };
  for (const sv of dso.svs.filter(() => random.chance(eagerness))) {
    const argument = nextSvRewards(network, sv.party, some);
    if (argument !== undefined) sv.act("DsoRules_ReceiveSvRewardCoupon", argument);
  }
};

const startIssuing: Work = (world, eagerness) => {
  const { network } = world;
  for (const { contractId, payload } of network.active(SummarizingMiningRound, network.dso)) {
    const value = { miningRoundCid: contractId, summary: summaryOf(network.ofDso, payload.round.number) };
    agree(world, onAmuletRules({ tag: "CRARC_MiningRound_StartIssuing", value }), eagerness);
  }
};

const close: Work = ({ random, network, dso }, eagerness) => {
  const amuletRulesCid = network.only(AmuletRules).contractId;
  for (const { contractId, payload } of network.active(IssuingMiningRound, network.dso)) {
    if (payload.targetClosesAt > network.now || !random.chance(eagerness)) continue;
    random.pick(dso.svs).act("DsoRules_MiningRound_Close", { amuletRulesCid, issuingRoundCid: contractId });
  }
};

const expireCouponsAndArchive: Work = (world, eagerness) => {
  const { random, network, dso } = world;
  const amuletRulesCid = network.only(AmuletRules).contractId;
  for (const { contractId, payload } of network.active(ClosedMiningRound, network.dso)) {
    for (const choiceArg of expiryBatches(contractId, couponsLeftOf(network.ofDso, payload.round.number))) {
      if (!random.chance(eagerness)) continue;
      random.pick(dso.svs).act("DsoRules_ClaimExpiredRewards", { amuletRulesCid, choiceArg });
    }
    if (!isRoundArchivable(couponsLeftOf(network.ofDso, payload.round.number))) continue;
    const value = { closedRoundCid: contractId };
    agree(world, onAmuletRules({ tag: "CRARC_MiningRound_Archive", value }), eagerness);
  }
};

const merge: Work = ({ random, network, dso }) => {
  const amuletRulesCid = network.only(AmuletRules).contractId;
  const unclaimed = network.active(UnclaimedReward, network.dso).map(idOf);
  if (unclaimed.length > UNCLAIMED_THRESHOLD) {
    const unclaimedRewardCids = unclaimed.slice(0, MERGED);
    random.pick(dso.svs).act("DsoRules_MergeUnclaimedRewards", { amuletRulesCid, unclaimedRewardCids });
  }
  const fund = network.active(UnclaimedDevelopmentFundCoupon, network.dso).map(idOf);
  if (fund.length > UNCLAIMED_THRESHOLD) {
    const choiceArg = { unclaimedDevelopmentFundCouponCids: fund.slice(0, MERGED) };
    random.pick(dso.svs).act("DsoRules_MergeUnclaimedDevelopmentFundCoupons", { amuletRulesCid, choiceArg });
  }
  const byMember = Map.groupBy(network.active(MemberTraffic, network.dso), ({ payload }) => payload.memberId);
  for (const purchases of byMember.values()) {
    if (purchases.length <= TRAFFIC_THRESHOLD) continue;
    const trafficCids = purchases.map(idOf);
    random.pick(dso.svs).act("DsoRules_MergeMemberTrafficContracts", { amuletRulesCid, trafficCids });
  }
};

/** Markers become coupons of an open round; the named observers see it. */
const convertMarkers: Work = ({ random, network, dso }, eagerness) => {
  const markers = network.active(FeaturedAppActivityMarker, network.dso);
  if (markers.length === 0 || !random.chance(eagerness)) return;
  const chosen = (eagerness < 1 ? random.shuffle(markers).slice(0, 10) : markers).slice(0, 100);
  const observers = random.chance(0.5)
    ? null
    : [...new Set(chosen.map(({ payload }) => payload.beneficiary))];
  random.pick(dso.svs).act("DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers", {
    amuletRulesCid: network.only(AmuletRules).contractId,
    argument: { markerCids: chosen.map(idOf), openMiningRoundCid: usableRound(network), observers },
  });
};

/** Expires confirmations, preapprovals, gifts of the fund, and unallocated activity records. */
const expire: Work = ({ random, network, dso }) => {
  const { now } = network;
  const lapsed = (template: Parameters<typeof network.active>[0]) => {
    return network
      .active(template, network.dso)
      .filter(({ payload }) => (payload as { readonly expiresAt: bigint }).expiresAt <= now)
      .map(idOf);
  };
  const each = (cids: readonly ContractId[], act: (sv: SvActor, cid: ContractId) => unknown) => {
    for (const cid of cids) act(random.pick(dso.svs), cid);
  };
  each(lapsed(Confirmation), (sv, cid) => sv.expireConfirmation(cid));
  each(lapsed(TransferPreapproval), (sv, transferPreapprovalCid) =>
    sv.act("DsoRules_ExpireTransferPreapproval", { transferPreapprovalCid }),
  );
  each(lapsed(DevelopmentFundCoupon), (sv, developmentFundCouponCid) =>
    sv.act("DsoRules_ExpireDevelopmentFundCoupon", { developmentFundCouponCid }),
  );
  each(lapsed(UnclaimedActivityRecord), (sv, unclaimedActivityRecordCid) =>
    sv.act("DsoRules_ExpireUnclaimedActivityRecord", { unclaimedActivityRecordCid }),
  );
  each(lapsed(UnallocatedUnclaimedActivityRecord), (sv, unallocatedUnclaimedActivityRecordCid) =>
    sv.act("DsoRules_ExpireUnallocatedUnclaimedActivityRecord", { unallocatedUnclaimedActivityRecordCid }),
  );
};

/** Coin that was sent or put aside by the token standard, and not taken in time, goes back to its owner. */
const giveBack: Work = ({ random, network, dso }) => {
  const isThere = (locked: ContractId) => network.find(LockedAmulet, locked) !== null;
  const instructions = network.active(AmuletTransferInstruction, network.dso).filter(({ payload }) => {
    return payload.transfer.executeBefore <= network.now;
  });
  if (instructions.length > 0) {
    const inputs = instructions.map(({ contractId, payload }) => {
      return { transferInstructionCid: contractId, expireLock: isThere(payload.lockedAmulet) };
    });
    const amuletRulesCid = network.only(AmuletRules).contractId;
    const transferInsts = { expectedDso: network.dso, inputs, observers: [] };
    random.pick(dso.svs).act("DsoRules_Amulet_ExpireTransferInstructions", { amuletRulesCid, transferInsts });
  }
  const allocations = network.active(AmuletAllocation, network.dso).filter(({ payload }) => {
    return payload.allocation.settlement.settleBefore <= network.now;
  });
  if (allocations.length === 0) return;
  const inputs = allocations.map(({ contractId, payload }) => {
    return { allocationCid: contractId, expireLock: isThere(payload.lockedAmulet) };
  });
  const extAmuletRulesCid = network.only(ExternalPartyAmuletRules).contractId;
  const expireAllocations = { expectedDso: network.dso, inputs, observers: [] };
  random.pick(dso.svs).act("DsoRules_ExpireAmuletAllocations", { extAmuletRulesCid, expireAllocations });
};

/** Allocates unclaimed rewards to the amounts that were voted. */
const allocate: Work = ({ random, network, dso }) => {
  for (const { contractId, payload } of network.active(UnallocatedUnclaimedActivityRecord, network.dso)) {
    if (payload.expiresAt <= network.now + 1n) continue;
    random.pick(dso.svs).act("DsoRules_AllocateUnallocatedUnclaimedActivityRecord", {
      unallocatedUnclaimedActivityRecordCid: contractId,
      amuletRulesCid: network.only(AmuletRules).contractId,
      unclaimedRewardsToBurnCids: network.active(UnclaimedReward, network.dso).map(idOf).slice(0, MERGED),
    });
  }
};

const WORK: readonly Work[] = [
  receive,
  startIssuing,
  close,
  expireCouponsAndArchive,
  merge,
  convertMarkers,
  expire,
  giveBack,
  allocate,
];

/** Rounds advance if they are due; the rest is done in any order, some of it perhaps not this time. */
export function workOnRounds(world: EconomyWorld, eagerness: number): string {
  const before = world.network.state.head.sequence;
  advance(world);
  for (const work of world.random.shuffle(WORK)) {
    if (world.random.chance(Math.max(eagerness, 0.5))) work(world, eagerness);
  }
  return `SVs work: ${world.network.state.head.sequence - before} entries`;
}

function idOf({ contractId }: { readonly contractId: ContractId }): ContractId {
  return contractId;
}
