/** Contracts that apps need to build commands. A caller names what it has, and is not sent it again. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract, ContractWithState, MaybeCachedContractWithState } from "../splice/contract.ts";
import { mapOf } from "../wire/map-of.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

const AmuletRulesRequest = z
  .object({
    cached_amulet_rules_contract_id: orNull(z.string()),
    cached_amulet_rules_domain_id: orNull(z.string()),
  })
  .meta({ id: "GetAmuletRulesRequest" });

const ExternalPartyAmuletRulesRequest = z
  .object({
    cached_external_party_amulet_rules_contract_id: orNull(z.string()),
    cached_external_party_amulet_rules_domain_id: orNull(z.string()),
  })
  .meta({ id: "GetExternalPartyAmuletRulesRequest" });

/** Far more rounds of a kind than are current at any time. */
const MAX_CACHED = 1000;

const RoundsRequest = z
  .object({
    cached_open_mining_round_contract_ids: z.array(z.string()).max(MAX_CACHED),
    cached_issuing_round_contract_ids: z.array(z.string()).max(MAX_CACHED),
  })
  .meta({ id: "GetOpenAndIssuingMiningRoundsRequest" });

/** By contract id, in ascending order of their numbers: clients take the last round that is open. */
const Rounds = z.object({
  time_to_live_in_microseconds: int64,
  open_mining_rounds: mapOf(MaybeCachedContractWithState),
  issuing_mining_rounds: mapOf(MaybeCachedContractWithState),
});

export const scanRoundsAndRules = defineEndpoints({ auth: "none", errors: [400, 429, 500, 503] })({
  getOpenAndIssuingMiningRounds: {
    method: "POST",
    path: "/v0/open-and-issuing-mining-rounds",
    tags: ["external", "scan"],
    summary: "The rounds that are open or issuing, without those the caller has",
    body: RoundsRequest,
    success: json(Rounds),
  },
  getClosedRounds: {
    method: "GET",
    path: "/v0/closed-rounds",
    tags: ["external", "scan"],
    summary: "The closed rounds whose rewards are still being expired, by their number",
    success: json(z.object({ rounds: z.array(Contract) }).meta({ id: "GetClosedRoundsResponse" })),
    errors: [429, 503],
  },
  getAmuletRules: {
    method: "POST",
    path: "/v0/amulet-rules",
    tags: ["internal", "scan"],
    summary: "The rules of the coin: fees, traffic, the schedule of issuance",
    body: AmuletRulesRequest,
    success: json(z.object({ amulet_rules_update: MaybeCachedContractWithState })),
  },
  getExternalPartyAmuletRules: {
    method: "POST",
    path: "/v0/external-party-amulet-rules",
    tags: ["internal", "scan"],
    summary: "The rules for parties that sign outside, which are the factories of the token standard",
    body: ExternalPartyAmuletRulesRequest,
    success: json(z.object({ external_party_amulet_rules_update: MaybeCachedContractWithState })),
    errors: [400, 404, 429, 503],
  },
  listUnclaimedDevelopmentFundCoupons: {
    method: "GET",
    path: "/v0/unclaimed-development-fund-coupons",
    tags: ["external", "scan"],
    summary: "The coupons of the development fund that nobody was given yet, oldest first; at most 1,000",
    success: json(z.object({ "unclaimed-development-fund-coupons": z.array(ContractWithState) })),
    errors: [429, 503],
  },
});
