/** Every automation of an SV, in the order in which the status shows them. */
import { createCommandCounters } from "./coin/create-command-counters.ts";
import { expireAllocations } from "./coin/expire-allocations.ts";
import { expireCoin } from "./coin/expire-coin.ts";
import { expireLockedCoin } from "./coin/expire-locked-coin.ts";
import { expirePreapprovals } from "./coin/expire-preapprovals.ts";
import { expireTransferInstructions } from "./coin/expire-transfer-instructions.ts";
import { attestSvSets } from "./dso/attest-sv-sets.ts";
import { closeVoteRequests } from "./dso/close-vote-requests.ts";
import { confirmSvOnboardings } from "./dso/confirm-sv-onboardings.ts";
import { expireConfirmations } from "./dso/expire-confirmations.ts";
import { expireOnboardings } from "./dso/expire-onboardings.ts";
import { expireSvOnboardings } from "./dso/expire-sv-onboardings.ts";
import { mergeLicenses } from "./dso/merge-licenses.ts";
import { mergeTraffic } from "./dso/merge-traffic.ts";
import { publishUrls } from "./dso/publish-urls.ts";
import { removePriceVotes } from "./dso/remove-price-votes.ts";
import { voteOnPrice } from "./dso/vote-on-price.ts";
import { collectRenewals } from "./names/collect-renewals.ts";
import { decideFirstPayments } from "./names/decide-first-payments.ts";
import { endSubscriptions } from "./names/end-subscriptions.ts";
import { expireEntries } from "./names/expire-entries.ts";
import { expireSubscriptions } from "./names/expire-subscriptions.ts";
import { takeUpNames } from "./names/take-up-names.ts";
import { withdrawRequests } from "./names/withdraw-requests.ts";
import { allocateActivityRecords } from "./rewards/allocate-activity-records.ts";
import { convertActivityMarkers } from "./rewards/convert-activity-markers.ts";
import { expireActivityRecords } from "./rewards/expire-activity-records.ts";
import { expireFundCoupons } from "./rewards/expire-fund-coupons.ts";
import { mergeFundCoupons } from "./rewards/merge-fund-coupons.ts";
import { mergeRewardStates } from "./rewards/merge-reward-states.ts";
import { mergeUnclaimedRewards } from "./rewards/merge-unclaimed-rewards.ts";
import { receiveSvRewards } from "./rewards/receive-sv-rewards.ts";
import { advanceRounds } from "./rounds/advance-rounds.ts";
import { archiveRounds } from "./rounds/archive-rounds.ts";
import { closeRounds } from "./rounds/close-rounds.ts";
import { expireCoupons } from "./rounds/expire-coupons.ts";
import { replaceConfigStates } from "./rounds/replace-config-states.ts";
import { summarizeRounds } from "./rounds/summarize-rounds.ts";

export const DSO_AUTOMATIONS = [
  decideFirstPayments,
  collectRenewals,
  endSubscriptions,
  expireSubscriptions,
  expireEntries,
  withdrawRequests,
  takeUpNames,
  expireConfirmations,
  closeVoteRequests,
  voteOnPrice,
  removePriceVotes,
  advanceRounds,
  replaceConfigStates,
  summarizeRounds,
  closeRounds,
  expireCoupons,
  archiveRounds,
  convertActivityMarkers,
  mergeUnclaimedRewards,
  mergeFundCoupons,
  mergeTraffic,
  mergeLicenses,
  mergeRewardStates,
  receiveSvRewards,
  allocateActivityRecords,
  expireActivityRecords,
  expireFundCoupons,
  expireCoin,
  expireLockedCoin,
  expirePreapprovals,
  expireTransferInstructions,
  expireAllocations,
  createCommandCounters,
  expireOnboardings,
  publishUrls,
  confirmSvOnboardings,
  expireSvOnboardings,
  attestSvSets,
] as const;

export type SvAutomationName = (typeof DSO_AUTOMATIONS)[number]["name"];

export const SV_AUTOMATION_NAMES: readonly SvAutomationName[] = DSO_AUTOMATIONS.map(({ name }) => name);
