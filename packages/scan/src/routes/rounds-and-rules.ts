/** Contracts that apps need to build commands, without those that the caller has cached. */

import { type MaybeCachedContractWithState, spliceError, unexpectedError } from "@callsign/api";
import {
  AmuletRules,
  AnsRules,
  ClosedMiningRound,
  ExternalPartyAmuletRules,
  UnclaimedDevelopmentFundCoupon,
} from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { MAX_LISTED_CONTRACTS } from "../limits/limits.ts";
import { findCurrentRounds } from "../rounds/current-rounds.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showUnlessCached, showWithState, toWireContract } from "../wire/wire-contract.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function ruleRoutes(index: () => ScanIndex) {
  return {
    getAnsRules: ({ body }) => {
      const { contracts, network } = index();
      const cached = body.cached_ans_rules_contract_id;
      return { ans_rules_update: showRules(contracts.find(AnsRules), network, cached) };
    },
    getAmuletRules: ({ body }) => {
      const { contracts, network } = index();
      const cached = body.cached_amulet_rules_contract_id;
      return { amulet_rules_update: showRules(contracts.find(AmuletRules), network, cached) };
    },
    getExternalPartyAmuletRules: ({ body }) => {
      const { contracts, network } = index();
      const rules = contracts.find(ExternalPartyAmuletRules);
      if (rules === undefined)
        throw new Refusal(spliceError(404, "No active ExternalPartyAmuletRules contract"));
      const cached = body.cached_external_party_amulet_rules_contract_id;
      return { external_party_amulet_rules_update: showRules(rules, network, cached) };
    },
    listUnclaimedDevelopmentFundCoupons: () => {
      const { contracts, network } = index();
      const coupons = contracts.list(UnclaimedDevelopmentFundCoupon).slice(0, MAX_LISTED_CONTRACTS);
      const synchronizerId = network?.synchronizerId ?? null;
      return {
        "unclaimed-development-fund-coupons": coupons.map((coupon) => showWithState(coupon, synchronizerId)),
      };
    },
    getClosedRounds: () => ({ rounds: index().contracts.list(ClosedMiningRound).map(toWireContract) }),
    getOpenAndIssuingMiningRounds: ({ body }) => {
      const { contracts, network } = index();
      const rounds = findCurrentRounds(contracts);
      if (rounds === undefined) throw new Refusal(unexpectedError());
      const synchronizerId = network?.synchronizerId ?? null;
      return {
        time_to_live_in_microseconds: Number(rounds.timeToLiveMicroseconds),
        open_mining_rounds: showRounds(
          rounds.open,
          synchronizerId,
          body.cached_open_mining_round_contract_ids,
        ),
        issuing_mining_rounds: showRounds(
          rounds.issuing,
          synchronizerId,
          body.cached_issuing_round_contract_ids,
        ),
      };
    },
  } satisfies ScanHandlers;
}

/** Missing rules are an unexpected error, as in Splice: every network has them. */
function showRules(
  rules: CurrentContract | undefined,
  network: ScanIndex["network"],
  cachedId: string | null,
): MaybeCachedContractWithState {
  if (rules === undefined || network === null) throw new Refusal(unexpectedError());
  return showUnlessCached(rules, network.synchronizerId, rules.contract.contractId === cachedId);
}

/** In the given order, which is ascending. No contract id looks like a number, so the keys keep their order. */
function showRounds(
  rounds: readonly CurrentContract[],
  synchronizerId: string | null,
  cachedIds: readonly string[],
): Record<string, MaybeCachedContractWithState> {
  const cached = new Set(cachedIds);
  return Object.fromEntries(
    rounds.map((round) => {
      const { contractId } = round.contract;
      return [contractId, showUnlessCached(round, synchronizerId, cached.has(contractId))];
    }),
  );
}
