/**
 * AmuletPriceVote: the price an SV wants. A new SV has none until it votes. New rounds open with the median,
 * which counts only if every SV's vote is there exactly once: nobody is left out, nobody counts twice.
 */
import { party } from "../../daml/scalars.ts";
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { Decimal } from "../../values/decimal.ts";
import { fetchChecked } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { AmuletPriceVote } from "./declarations/sv-state.ts";
import { median } from "./median.ts";

export const amuletPriceVote = implement(AmuletPriceVote, {
  signatories: ({ dso }) => [dso],
  ensure: ({ amuletPrice }) => amuletPrice === null || amuletPrice > 0n,
});

export function fetchMedianPrice(
  update: Update,
  { dso, svs }: DsoRules,
  voteCids: readonly ContractId[],
): Decimal {
  const votes = voteCids.map((voteCid) => fetchChecked(update, AmuletPriceVote, voteCid, forDso(dso)));
  const voters = votes.map((vote) => vote.sv).sort(party.compare);
  const complete = voters.length === svs.length && svs.every(([sv], index) => sv === voters[index]);
  requireThat("Every sv voted exactly once", complete);
  return median(votes.flatMap(({ amuletPrice }) => (amuletPrice === null ? [] : [amuletPrice])));
}
