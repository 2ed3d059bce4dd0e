/**
 * A wallet's party mints, as the delegate of a hosted party without a wallet, that party's rewards, and merges its coins
 * when it has twice as many as the delegation wants to keep. A beneficiary with a wallet here needs no delegate: its own
 * wallet collects. Everything minted is the beneficiary's.
 */
import {
  Amulet,
  AppRewardCoupon,
  DevelopmentFundCoupon,
  MintingDelegation,
  type PartyId,
  SvRewardCoupon,
  type Time,
  UnclaimedActivityRecord,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
  ZERO,
} from "@callsign/ledger";
import { type DueTask, SKIPPED } from "@callsign/node";
import { exercise } from "../ledger/commands.ts";
import { findLocalParty } from "../ledger/local-party.ts";
import { canReadAs, grantRight } from "../ledger/user-rights.ts";
import { MAX_COINS } from "../limits/limits.ts";
import { gatherInputs } from "../wallet/coin-inputs.ts";
import { chooseCoinsToMerge, keepsCoins } from "../wallet/merge-limit.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import { RewardRounds } from "./reward-rounds.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function mintByDelegation(parts: AutomationParts): ValidatorAutomation {
  const { store, follower, directory, ledger, facts, clock } = parts;
  const rewards = new RewardRounds(parts);
  return {
    name: "mint-by-delegation",
    concerns: [
      MintingDelegation,
      AppRewardCoupon,
      ValidatorRewardCoupon,
      SvRewardCoupon,
      ValidatorFaucetCoupon,
      ValidatorLivenessActivityRecord,
      UnclaimedActivityRecord,
      DevelopmentFundCoupon,
      ValidatorRight,
      Amulet,
    ],
    listDue: (now, after) => listDue({ ...parts, rewards }, now, after),
    nextDueAt: async (now) => rewards.nextIssuing(now),
    perform: async (contractId) => {
      const delegation = await store.find(MintingDelegation, contractId);
      if (delegation === undefined) return SKIPPED;
      const { beneficiary, delegate, amuletMergeLimit } = delegation.payload;
      if ((await directory.findByParty(delegate)) === undefined) return SKIPPED;
      if ((await directory.findByParty(beneficiary)) !== undefined) return SKIPPED;
      if (!follower.parties.has(beneficiary) && !(await followBeneficiary(parts, beneficiary)))
        return SKIPPED;
      const mint = async () => {
        if ((await store.find(MintingDelegation, contractId)) === undefined) return "stale";
        const context = await facts.coinContext();
        // The beneficiary mints for those who gave it the right, as a validator does.
        const sources = { store, operatorParty: beneficiary };
        const choose = chooseCoinsToMerge(amuletMergeLimit);
        const gathered = await gatherInputs(sources, beneficiary, context, clock.now, choose);
        if (gathered.rewardValue <= ZERO && gathered.coins === 0) return "stale";
        const argument = { inputs: gathered.inputs, context: gathered.context };
        return {
          commands: [exercise(MintingDelegation, delegation.contractId, "MintingDelegation_Mint", argument)],
          disclosed: gathered.disclosed,
          readAs: [beneficiary, ...gathered.readAs],
          notBefore: gathered.notBefore,
        };
      };
      return await outcomeOf(ledger.submitAs("user", delegate, mint));
    },
  };
}

/** Delegations whose beneficiary has something to mint or to merge, or is not followed yet. */
async function listDue(
  parts: AutomationParts & { readonly rewards: RewardRounds },
  now: Time,
  after: string,
): Promise<readonly DueTask[]> {
  const { store, reads, rewards, directory } = parts;
  if (after === "") rewards.forget();
  let owners: ReadonlySet<string> | undefined;
  for (let last = after; ; ) {
    const page = await reads.listOpen([MintingDelegation], now, last);
    const end = page.at(-1);
    if (end === undefined) return [];
    owners ??= await listMinters(parts, await rewards.listIssuing(now));
    const due: DueTask[] = [];
    for (const { task } of page) {
      const delegation = await store.find(MintingDelegation, task);
      if (delegation === undefined) continue;
      const { beneficiary, amuletMergeLimit } = delegation.payload;
      if ((await directory.findByParty(beneficiary)) !== undefined) continue;
      const isDue =
        owners.has(beneficiary) ||
        !parts.follower.parties.has(beneficiary) ||
        (await hasManyCoins(parts, beneficiary, amuletMergeLimit));
      if (isDue) due.push({ task, owner: beneficiary });
    }
    if (due.length > 0) return due;
    last = end.task;
  }
}

/** Owners of rewards of these rounds, and parties that were given the right to such rewards. */
async function listMinters(
  { store, reads }: AutomationParts,
  rounds: readonly bigint[],
): Promise<ReadonlySet<string>> {
  const minters = new Set<string>();
  for (const { owner, forValidator } of await reads.listRewardOwners(rounds)) {
    if (!forValidator) minters.add(owner);
    else
      for (const { payload } of await store.list(ValidatorRight, { owner })) minters.add(payload.validator);
  }
  return minters;
}

async function hasManyCoins({ reads }: AutomationParts, owner: string, mergeLimit: bigint): Promise<boolean> {
  const kept = keepsCoins(mergeLimit);
  if (2 * kept > MAX_COINS) return false;
  return (await reads.countCoins(owner, 2 * kept)).coins >= 2 * kept;
}

/**
 * Follows the contracts of the beneficiary, who consented to that by the delegation. Resolves false if another participant
 * hosts the beneficiary.
 */
async function followBeneficiary(
  { participant, follower }: AutomationParts,
  beneficiary: PartyId,
): Promise<boolean> {
  if ((await findLocalParty(participant, beneficiary)) === undefined) return false;
  await grantRight(participant, participant.userId, canReadAs(beneficiary));
  await follower.follow(beneficiary);
  return true;
}
