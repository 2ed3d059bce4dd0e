/** Actions that earn and use rewards: activity, liveness, traffic, gifts, minting. */
import {
  FeaturedAppActivityMarker,
  FeaturedAppRight,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { DevelopmentFundCoupon } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import { ValidatorLicense } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import { FeaturedAppRightV1 } from "../../../packages/ledger/src/contracts/splice-api-featured-app-v1/featured-app-right.ts";
import { onDsoRules } from "../../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import {
  AmuletRules,
  BuyTrafficRequest,
  exerciseCommand,
  OpenMiningRound,
  relTime,
  UnclaimedDevelopmentFundCoupon,
} from "../../../packages/ledger/src/index.ts";
import { decimal, decimalFromUnits } from "../../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../../packages/ledger/src/values/time.ts";
import { NOTHING } from "../actions/action.ts";
import { type EconomyAction, withAccount, withContract } from "./economy-action.ts";
import type { EconomyWorld } from "./economy-world.ts";
import { agree } from "./quorum-actions.ts";

/** The number of waiting markers at which apps create no more. */
const MOST_MARKERS = 40;

function feature({ random, network, accounts }: EconomyWorld): string {
  const account = random.pick(accounts);
  const { amuletRules } = account;
  const isByWallet = random.chance(0.5);
  if (network.active(FeaturedAppRight, network.dso).length > 3) return NOTHING;
  if (isByWallet) {
    const argument = { amuletRulesCid: amuletRules };
    account.byInstall("WalletAppInstall_FeaturedAppRights_SelfGrant", argument, [amuletRules]);
  } else {
    const provider = account.party;
    const command = exerciseCommand(AmuletRules, amuletRules, "AmuletRules_DevNet_FeatureApp", { provider });
    account.submit([command], [amuletRules]);
  }
  return "an app is featured";
}

const unfeature = withContract(
  FeaturedAppRight,
  ({ provider }) => provider,
  (provider, { contractId: cid }) => provider.byInstall("WalletAppInstall_FeaturedAppRights_Cancel", { cid }),
);

const mark = withContract(
  FeaturedAppRight,
  ({ provider }) => provider,
  (provider, { contractId }, { random, network, accounts }) => {
    if (network.active(FeaturedAppActivityMarker, network.dso).length > MOST_MARKERS) return null;
    const weights = random.pick([["1.0"], ["0.5", "0.5"], ["0.3333333333", "0.6666666667"], ["0.9", "0.2"]]);
    const beneficiaries = weights.map((weight) => {
      return { beneficiary: random.pick(accounts).party, weight: decimal(weight) };
    });
    const choice = "FeaturedAppRight_CreateActivityMarker";
    return provider.submit([exerciseCommand(FeaturedAppRightV1, contractId, choice, { beneficiaries })]);
  },
);

/** In any round that there is: too early, in time, or a second time. */
const recordLiveness = withContract(
  ValidatorLicense,
  ({ validator }) => validator,
  (validator, { contractId }, { random, network }) => {
    const openRoundCid = random.pick(network.active(OpenMiningRound, network.dso)).contractId;
    const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
    const command = exerciseCommand(ValidatorLicense, contractId, choice, { openRoundCid });
    return validator.submit([command], [openRoundCid]);
  },
);

const reportActive = withContract(
  ValidatorLicense,
  ({ validator }) => validator,
  (validator, { contractId }) => {
    return validator.submit([
      exerciseCommand(ValidatorLicense, contractId, "ValidatorLicense_ReportActive", {}),
    ]);
  },
);

function trafficFor({ random, network, validators }: EconomyWorld) {
  const { requiredSynchronizers } =
    network.only(AmuletRules).payload.configSchedule.initialValue.decentralizedSynchronizer;
  return {
    trafficAmount: BigInt(random.pick([200_000, 200_001, 300_000, 199_999])),
    memberId: `PAR::${random.pick(validators).id}`,
    synchronizerId: requiredSynchronizers.map[0]?.[0] ?? "",
    migrationId: 0n,
  };
}

const buyTraffic = withAccount((account, world) => {
  const value = { ...trafficFor(world), minTopupInterval: relTime(MINUTE), topupStateCid: null };
  return account.batch([{ tag: "CO_BuyMemberTraffic", value }]);
});

const requestTraffic = withAccount((account, world) => {
  const { network, random } = world;
  const expiresAt = addDuration(network.now, random.pick([MINUTE, HOUR]));
  const trackingId = `traffic-${network.state.head.sequence}`;
  const argument = { ...trafficFor(world), expiresAt, trackingId };
  return account.byInstall("WalletAppInstall_CreateBuyTrafficRequest", argument);
});

const completeTraffic = withContract(
  BuyTrafficRequest,
  ({ endUserParty }) => endUserParty,
  (buyer, { contractId, payload }, { random, network }) => {
    const isLate = payload.expiresAt <= network.now;
    if (!isLate && random.chance(0.85))
      return buyer.batch([{ tag: "CO_CompleteBuyTrafficRequest", value: { trafficRequestCid: contractId } }]);
    const expiring = { requestCid: contractId };
    return isLate
      ? buyer.byInstall("WalletAppInstall_BuyTrafficRequest_Expire", expiring)
      : buyer.byInstall("WalletAppInstall_BuyTrafficRequest_Cancel", { ...expiring, reason: "dear" });
  },
);

/** The fund's manager gives away some of it. */
function allocateFund({ random, network, accounts }: EconomyWorld): string {
  const { optDevelopmentFundManager: fundManager } =
    network.only(AmuletRules).payload.configSchedule.initialValue;
  const manager = accounts.find(({ party }) => party === fundManager);
  const coupons = network.active(UnclaimedDevelopmentFundCoupon, network.dso).slice(0, 5);
  if (manager === undefined || fundManager === null || coupons.length === 0) return NOTHING;
  const there = coupons.reduce((sum, { payload }) => sum + payload.amount, 0n);
  const amount = random.pick([there, 1n + random.bigBelow(there), there + 1n]);
  const unclaimedDevelopmentFundCouponCids = coupons.map(({ contractId }) => contractId);
  const argument = {
    unclaimedDevelopmentFundCouponCids,
    beneficiary: random.pick(accounts).party,
    amount: decimalFromUnits(amount),
    expiresAt: addDuration(network.now, random.pick([MINUTE, HOUR, DAY])),
    reason: "good work",
    fundManager,
  };
  const choice = "AmuletRules_AllocateDevelopmentFundCoupon";
  const command = exerciseCommand(AmuletRules, manager.amuletRules, choice, argument);
  const { verdict } = manager.submit([command], [manager.amuletRules, ...unclaimedDevelopmentFundCouponCids]);
  return `the fund gives: ${verdict.kind}`;
}

const returnGift = withContract(
  DevelopmentFundCoupon,
  ({ beneficiary }) => beneficiary,
  (beneficiary, { contractId, payload }, { random, accounts }) => {
    const manager = accounts.find(({ party }) => party === payload.fundManager);
    const isRejected = random.chance(0.5) || manager === undefined;
    const choice = isRejected ? "DevelopmentFundCoupon_Reject" : "DevelopmentFundCoupon_Withdraw";
    const command = exerciseCommand(DevelopmentFundCoupon, contractId, choice, { reason: "no" });
    return (isRejected ? beneficiary : manager).submit([command]);
  },
);

/** A quorum allocates unclaimed rewards to a beneficiary. */
function voteReward(world: EconomyWorld): string {
  const { random, network, accounts } = world;
  const value = {
    beneficiary: random.pick(accounts).party,
    amount: decimalFromUnits(1n + random.bigBelow(10n ** 15n)),
    reason: "voted",
    expiresAt: addDuration(network.now, random.pick([HOUR, DAY])),
  };
  const action = onDsoRules({ tag: "SRARC_CreateUnallocatedUnclaimedActivityRecord", value });
  return `unclaimed rewards are voted: ${agree(world, action, 0.9)}`;
}

const everybody = ({ accounts, svAccounts }: EconomyWorld) => [...accounts, ...svAccounts];

export const earningActions: readonly EconomyAction[] = [
  { name: "feature", weight: 8, run: feature },
  { name: "unfeature", weight: 1, run: unfeature },
  { name: "mark", weight: 16, run: mark },
  { name: "liveness", weight: 24, run: recordLiveness },
  { name: "report active", weight: 2, run: reportActive },
  { name: "buy traffic", weight: 6, run: buyTraffic },
  { name: "request traffic", weight: 3, run: requestTraffic },
  { name: "complete traffic", weight: 4, run: completeTraffic },
  { name: "allocate fund", weight: 3, run: allocateFund },
  { name: "return gift", weight: 1, run: returnGift },
  { name: "vote reward", weight: 2, run: voteReward },
  { name: "mint", weight: 30, run: withAccount((account) => account.mintAll(), everybody) },
];
