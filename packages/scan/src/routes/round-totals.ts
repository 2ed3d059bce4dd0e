/** Sums of rounds and leader boards, in Splice's words. */
import { type RoundPartyTotals, type RoundTotals, spliceError } from "@callsign/api";
import { formatDecimal, formatTime, ZERO } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import {
  MAX_LISTED,
  MAX_LISTED_PARTY_TOTALS,
  MAX_ROUND_TOTALS,
  MAX_ROUNDS_OF_PARTIES,
} from "../limits/limits.ts";
import type { PartySums, PartyTotals } from "../rounds/party-totals.ts";
import type { ClosedRound, Leader, RoundRange } from "../rounds/round-totals.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { deprecate } from "./deprecate.ts";
import type { ReadInTurns } from "./in-turns.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function roundTotalRoutes(index: () => ScanIndex, readInTurns: ReadInTurns) {
  const totals = () => index().roundTotals;

  function getRange(): RoundRange {
    const known = totals().findRange();
    if (known === undefined) throw new Refusal(spliceError(404, "No aggregated rounds found"));
    return known;
  }

  /** Refuses a range of rounds whose sums are not known, or too long a one. */
  function checkRange(body: { readonly start_round: number; readonly end_round: number }, most: number) {
    const { start_round: start, end_round: end } = body;
    const refuse = (status: number, error: string) => {
      throw new Refusal(spliceError(status, error));
    };
    if (start < 0 || end < 0)
      refuse(400, `rounds must be non-negative: start_round ${start}, end_round ${end}`);
    if (end < start) refuse(400, `end_round ${end} must be >= start_round ${start}`);
    if (end - start + 1 > most) refuse(400, `Cannot request more than ${most} rounds at a time`);
    const { first, last } = getRange();
    if (start < first || end > last)
      refuse(
        400,
        `Requested rounds range ${start}-${end} is outside of the available rounds range ${first}-${last}`,
      );
    return { first: BigInt(start), last: BigInt(end) };
  }

  /** The leaders up to the last round of which sums are known; of earlier rounds there are none, as in Splice. */
  function findLeaders(
    { round, limit }: { readonly round: bigint; readonly limit: number },
    { by, what }: { readonly by: keyof PartySums; readonly what: string },
  ): readonly Leader[] {
    if (limit < 1) throw new Refusal(spliceError(400, "Limit must be at least 1."));
    const known = totals().findRange();
    if (known === undefined || round > known.last)
      throw new Refusal(spliceError(404, `Data for round ${round} not yet computed`));
    const leaders = round === known.last ? totals().listLeaders(round, by, Math.min(limit, MAX_LISTED)) : [];
    if (leaders.length === 0) throw new Refusal(spliceError(404, `No top ${what} found for round ${round}`));
    return leaders;
  }

  return deprecate({
    getAggregatedRounds: () => {
      const { first, last } = getRange();
      return { start: Number(first), end: Number(last) };
    },
    getRoundOfLatestData: () => {
      const last = totals().findRange()?.last;
      const closedAt = last === undefined ? undefined : totals().findEnd(last);
      if (last === undefined || closedAt === undefined)
        throw new Refusal(spliceError(404, "No data has been made available yet"));
      return { round: Number(last), effectiveAt: formatTime(closedAt) };
    },
    listRoundTotals: ({ body }) => {
      const range = checkRange(body, MAX_ROUND_TOTALS);
      return { entries: totals().list(range).map(showRound) };
    },
    listRoundPartyTotals: ({ body }, { signal }) => {
      const range = checkRange(body, MAX_ROUNDS_OF_PARTIES);
      const entries: RoundPartyTotals[] = [];
      let round = range.first;
      const readMore = () => {
        const limit = MAX_LISTED_PARTY_TOTALS + 1 - entries.length;
        entries.push(...totals().listParties(round, limit).map(showParty));
        if (entries.length > MAX_LISTED_PARTY_TOTALS) throw tooMany(range);
        return round++ === range.last;
      };
      return readInTurns({ readMore, finish: () => ({ entries }), signal });
    },
    getTopProvidersByAppRewards: ({ query }) => {
      const leaders = findLeaders(query, { by: "app", what: "providers by app rewards" });
      return { providersAndRewards: showRewards(leaders, "app") };
    },
    getTopValidatorsByValidatorRewards: ({ query }) => {
      const leaders = findLeaders(query, { by: "validator", what: "validators by validator rewards" });
      return { validatorsAndRewards: showRewards(leaders, "validator") };
    },
    getTopValidatorsByPurchasedTraffic: ({ query }) => {
      const leaders = findLeaders(query, { by: "traffic", what: "validators by purchased traffic" });
      return {
        validatorsByPurchasedTraffic: leaders.map(({ party, totals: sums }) => ({
          validator: party,
          numPurchases: Number(sums.purchases),
          totalTrafficPurchased: Number(sums.traffic),
          totalCcSpent: formatDecimal(sums.paid),
          lastPurchasedInRound: Number(totals().findLastPurchase(party, query.round)),
        })),
      };
    },
  } satisfies ScanHandlers);
}

function tooMany({ first, last }: RoundRange): Refusal {
  const text =
    first === last
      ? `Round ${first} has sums of more than ${MAX_LISTED_PARTY_TOTALS} parties: read its updates with POST /v2/updates instead`
      : `Rounds ${first}-${last} have more than ${MAX_LISTED_PARTY_TOTALS} sums of parties: request fewer rounds at a time`;
  return new Refusal(spliceError(400, text));
}

const NO_BALANCE = formatDecimal(ZERO);

function showRound({ round, closedAt, ...sums }: ClosedRound): RoundTotals {
  return {
    closed_round: Number(round),
    closed_round_effective_at: formatTime(closedAt),
    app_rewards: formatDecimal(sums.app),
    validator_rewards: formatDecimal(sums.validator),
    change_to_initial_amount_as_of_round_zero: NO_BALANCE,
    change_to_holding_fees_rate: NO_BALANCE,
    cumulative_app_rewards: formatDecimal(sums.appTotal),
    cumulative_validator_rewards: formatDecimal(sums.validatorTotal),
    cumulative_change_to_initial_amount_as_of_round_zero: NO_BALANCE,
    cumulative_change_to_holding_fees_rate: NO_BALANCE,
    total_amulet_balance: NO_BALANCE,
  };
}

function showParty({ party, round, sums, totals }: PartyTotals): RoundPartyTotals {
  return {
    closed_round: Number(round),
    party,
    app_rewards: formatDecimal(sums.app),
    validator_rewards: formatDecimal(sums.validator),
    traffic_purchased: Number(sums.traffic),
    traffic_purchased_cc_spent: formatDecimal(sums.paid),
    traffic_num_purchases: Number(sums.purchases),
    cumulative_app_rewards: formatDecimal(totals.app),
    cumulative_validator_rewards: formatDecimal(totals.validator),
    cumulative_change_to_initial_amount_as_of_round_zero: NO_BALANCE,
    cumulative_change_to_holding_fees_rate: NO_BALANCE,
    cumulative_traffic_purchased: Number(totals.traffic),
    cumulative_traffic_purchased_cc_spent: formatDecimal(totals.paid),
    cumulative_traffic_num_purchases: Number(totals.purchases),
  };
}

function showRewards(leaders: readonly Leader[], kind: "app" | "validator") {
  return leaders.map(({ party, totals }) => ({ provider: party, rewards: formatDecimal(totals[kind]) }));
}
