/**
 * Buying traffic for a member of a synchronizer, and merging what was bought. Anybody may buy for any member; a
 * purchase has a smallest size, so that it is worth its own transaction.
 */
import { abort, fail } from "../../../engine/failure.ts";
import type { SomeChoiceRules } from "../../../engine/template.ts";
import { add } from "../../../values/decimal.ts";
import { int64 } from "../../../values/int64.ts";
import { fetchAndArchive } from "../../checks/checked-fetch.ts";
import { forDso, forMemberTraffic } from "../../checks/contract-group.ts";
import { requireExpectedDso } from "../../checks/expected-dso.ts";
import type { AmuletConfig } from "../declarations/amulet-config.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { MemberTraffic } from "../declarations/member-traffic.ts";
import { splitAndBurn } from "../transfers/split-and-burn.ts";
import { trafficCost } from "./traffic-cost.ts";

export const trafficChoices = {
  AmuletRules_BuyMemberTraffic: {
    controllers: (_rules, { provider }) => [provider],
    exercise: ({ update, contract: rules, argument }) => {
      const { dso, configSchedule } = rules;
      const { provider, inputs, context, memberId, synchronizerId, migrationId, trafficAmount } = argument;
      requireExpectedDso(dso, argument.expectedDso);
      checkPurchase(configSchedule.initialValue, synchronizerId, trafficAmount);
      const { openMiningRound } = context;
      const cost = trafficCost(update, rules, trafficAmount, { openMiningRound, reader: provider });
      const { transferResult, meta } = splitAndBurn(update, dso, {
        sender: provider,
        amount: cost.amulet,
        inputs,
        context,
        usage: "traffic purchase",
      });
      const purchasedTraffic = update.create(MemberTraffic, {
        dso,
        memberId,
        synchronizerId,
        migrationId,
        totalPurchased: trafficAmount,
        numPurchases: 1n,
        amuletSpent: cost.amulet,
        usdSpent: cost.usd,
      });
      const { round, summary, senderChangeAmulet } = transferResult;
      return { round, summary, amuletPaid: cost.amulet, purchasedTraffic, senderChangeAmulet, meta };
    },
  },
  AmuletRules_MergeMemberTrafficContracts: {
    controllers: ({ dso }) => [dso],
    exercise: ({ update, contract: { dso }, argument: { trafficCids } }) => {
      const [firstCid, ...otherCids] = trafficCids;
      if (firstCid === undefined) return abort("At least one MemberTraffic contract is needed for a merge");
      const first = fetchAndArchive(update, MemberTraffic, firstCid, forDso(dso));
      const ofSameMember = forMemberTraffic(first);
      const merged = otherCids.reduce(
        (sum, cid) => addTraffic(sum, fetchAndArchive(update, MemberTraffic, cid, ofSameMember)),
        first,
      );
      return { mergedTrafficCid: update.create(MemberTraffic, merged) };
    },
  },
} satisfies SomeChoiceRules<typeof AmuletRules>;

function checkPurchase(
  { decentralizedSynchronizer: { requiredSynchronizers, fees } }: AmuletConfig,
  synchronizerId: string,
  trafficAmount: bigint,
): void {
  if (!requiredSynchronizers.map.some(([known]) => known === synchronizerId)) {
    fail(
      "splice.lfdecentralizedtrust.org/unknown-synchronizer",
      `Unknown synchronizer provided: ${synchronizerId}`,
      { synchronizerId },
    );
  }
  const { minTopupAmount } = fees;
  if (trafficAmount < minTopupAmount) {
    fail(
      "splice.lfdecentralizedtrust.org/insufficient-topup-amount",
      `The requested top-up amount (${trafficAmount}) is below the minimum allowed (${minTopupAmount}). ` +
        "Please increase the amount.",
      { requestedTopupAmount: `${trafficAmount}`, minTopupAmount: `${minTopupAmount}` },
    );
  }
}

function addTraffic(a: MemberTraffic, b: MemberTraffic): MemberTraffic {
  return {
    ...a,
    totalPurchased: int64(a.totalPurchased + b.totalPurchased),
    numPurchases: int64(a.numPurchases + b.numPurchases),
    amuletSpent: add(a.amuletSpent, b.amuletSpent),
    usdSpent: add(a.usdSpent, b.usdSpent),
  };
}
