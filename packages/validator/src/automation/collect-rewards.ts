/**
 * Mints rewards and merges coins, for every party with a wallet here. Rewards are minted as soon as their round issues.
 * Coins are merged when many have piled up, or when a few have not moved for a while: payments merge the coins of a
 * wallet in use anyway.
 */
import {
  AppRewardCoupon,
  addDuration,
  DevelopmentFundCoupon,
  SvRewardCoupon,
  type Time,
  UnclaimedActivityRecord,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
  ZERO,
} from "@callsign/ledger";
import { type DueTask, onePage } from "@callsign/node";
import { COIN_PILE, COIN_REST_MICROSECONDS } from "../limits/limits.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { CoinOperation, MakeOperation, Stale } from "../wallet/wallet-ledger.ts";
import { operateFor } from "./attempt-outcome.ts";
import { ChangedOwners } from "./changed-owners.ts";
import { RewardRounds } from "./reward-rounds.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function collectRewards(parts: AutomationParts): ValidatorAutomation {
  const { reads, operatorParty } = parts;
  const piles = new CoinPiles(reads, operatorParty);
  const rewards = new RewardRounds(parts);
  return {
    name: "collect-rewards",
    concerns: [
      AppRewardCoupon,
      ValidatorRewardCoupon,
      SvRewardCoupon,
      ValidatorLivenessActivityRecord,
      UnclaimedActivityRecord,
      DevelopmentFundCoupon,
      ValidatorRight,
    ],
    onPaid: (owners) => piles.look(owners),
    listDue: onePage(async (now) => {
      const found = await reads.listRewardOwners(await rewards.listIssuing(now));
      const owners = new Set(found.map(({ owner, forValidator }) => (forValidator ? operatorParty : owner)));
      for (const owner of await piles.listDue(now)) owners.add(owner);
      return [...owners].map((owner): DueTask => ({ task: owner, owner }));
    }),
    nextDueAt: async (now) => earliest(piles.nextDueAt(now), rewards.nextIssuing(now)),
    perform: (party) => {
      const merge: MakeOperation<CoinOperation | Stale> = async (_, { coins, rewardValue }) => {
        if (rewardValue > ZERO || coins > 1)
          return { operation: { tag: "CO_MergeTransferInputs", value: {} } };
        // The coins were spent, or are too large to be merged: the pile is left until other coins come.
        piles.leave(party);
        return "stale";
      };
      // The operator's rewards pay for traffic.
      return operateFor(parts, party, merge, party === operatorParty ? "high" : "low");
    },
  };
}

/** Owners who may have several coins: all at first, later those who received some. */
class CoinPiles {
  readonly #reads: AutomationReads;
  readonly #paid: ChangedOwners;
  /** Owners of several coins, each with the time of the merge. */
  readonly #several = new Map<string, Time>();

  constructor(reads: AutomationReads, validator: string) {
    this.#reads = reads;
    this.#paid = new ChangedOwners(() => reads.listWalletParties(validator));
  }

  look(owners: ReadonlySet<string>): void {
    this.#paid.add(owners);
  }

  leave(owner: string): void {
    this.#several.delete(owner);
  }

  async listDue(now: Time): Promise<readonly string[]> {
    await this.#paid.visit(async (owner) => {
      const { coins, newestAt } = await this.#reads.countCoins(owner, COIN_PILE + 1);
      if (coins <= 1) this.#several.delete(owner);
      else
        this.#several.set(
          owner,
          coins > COIN_PILE ? now : addDuration(newestAt as Time, COIN_REST_MICROSECONDS),
        );
    });
    return [...this.#several].filter(([, due]) => due <= now).map(([owner]) => owner);
  }

  nextDueAt(now: Time): bigint | null {
    let next: bigint | null = null;
    for (const due of this.#several.values()) if (due > now) next = earliest(next, due);
    return next;
  }
}

function earliest(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
