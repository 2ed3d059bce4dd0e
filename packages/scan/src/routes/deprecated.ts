/**
 * The two operations that will go, with the header that says so. Splice sends none and the seed names none, so it has
 * the form of RFC 9745: an `@` and the second since which the operation is deprecated, by Splice's document of then.
 */

import { type AmuletConfigForRound, spliceError } from "@callsign/api";
import { formatDecimal } from "@callsign/ledger";
import { Refusal, Reply } from "@callsign/node";
import type { AmuletConfigOfRound } from "../rounds/amulet-config-of-round.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

/** 2026-05-04T09:35:49Z */
const DEPRECATED = { deprecation: "@1777887349" } as const;

export function deprecatedRoutes(index: () => ScanIndex) {
  return {
    getRewardsCollected: ({ query: { round } }) => {
      const { rewards } = index();
      const amount = round === null ? rewards.total() : rewards.findByRound(round);
      if (amount === undefined) throw deprecatedRefusal("No data has been made available yet");
      return new Reply({ amount: formatDecimal(amount) }, { headers: DEPRECATED });
    },
    getAmuletConfigForRound: ({ query: { round } }) => {
      const { openedRounds, now } = index();
      const config = round === null ? openedRounds.findLatestConfig(now) : openedRounds.findConfig(round);
      if (config === undefined) {
        throw deprecatedRefusal(round === null ? "No round has opened yet" : `Round ${round} not found`);
      }
      return new Reply(showConfig(config), { headers: DEPRECATED });
    },
  } satisfies ScanHandlers;
}

function deprecatedRefusal(error: string): Refusal {
  return new Refusal(spliceError(404, error)).withHeaders(DEPRECATED);
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
