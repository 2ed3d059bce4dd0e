/** Allocations that nobody settled in time; coin that is still locked goes back to its owner. */
import { AmuletAllocation } from "@callsign/ledger";
import { expireAtItsTime } from "../expire-at-its-time.ts";
import { hasLockedCoin } from "./has-locked-coin.ts";

export const expireAllocations = expireAtItsTime("expire-allocations", [
  {
    template: AmuletAllocation,
    command: ({ facts, rules, exercise }, allocationCid) => {
      const { extAmuletRulesCid } = rules;
      if (extAmuletRulesCid === null) return null;
      const inputs = [{ allocationCid, expireLock: hasLockedCoin(facts, AmuletAllocation, allocationCid) }];
      const argument = {
        extAmuletRulesCid,
        expireAllocations: { expectedDso: rules.dso, inputs, observers: [] },
      };
      return exercise("DsoRules_ExpireAmuletAllocations", argument);
    },
  },
]);
