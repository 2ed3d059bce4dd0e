/** Rewards and fees of rounds, which newer clients compute from updates. */
import { type AmuletConfigForRound, spliceError } from "@callsign/api";
import { formatDecimal } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { AmuletConfigOfRound } from "../rounds/amulet-config-of-round.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { deprecate } from "./deprecate.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function deprecatedRoutes(index: () => ScanIndex) {
  return deprecate({
    getRewardsCollected: ({ query: { round } }) => {
      const { rewards } = index();
      const amount = round === null ? rewards.total() : rewards.findByRound(round);
      if (amount === undefined) throw new Refusal(spliceError(404, "No data has been made available yet"));
      return { amount: formatDecimal(amount) };
    },
    getAmuletConfigForRound: ({ query: { round } }) => {
      const { openedRounds, now } = index();
      const config = round === null ? openedRounds.findLatestConfig(now) : openedRounds.findConfig(round);
      if (config === undefined) {
        const problem = round === null ? "No round has opened yet" : `Round ${round} not found`;
        throw new Refusal(spliceError(404, problem));
      }
      return showConfig(config);
    },
  } satisfies ScanHandlers);
}

function showConfig(config: AmuletConfigOfRound): AmuletConfigForRound {
  const { createFee, holdingFee, lockHolderFee, transferFee } = config;
  return {
    amulet_create_fee: formatDecimal(createFee),
    holding_fee: formatDecimal(holdingFee),
    lock_holder_fee: formatDecimal(lockHolderFee),
    transfer_fee: {
      initial: formatDecimal(transferFee.initial),
      steps: transferFee.steps.map(({ amount, rate }) => {
        return { amount: formatDecimal(amount), rate: formatDecimal(rate) };
      }),
    },
  };
}
