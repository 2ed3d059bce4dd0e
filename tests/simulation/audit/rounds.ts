/** Rounds, their prices, and the contracts of which there is one. */

import { NameCare } from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { AnsRules } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { DsoRules } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { AmuletPriceVote } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-state.ts";
import type { Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listExercises } from "./book.ts";
import { roundHalfEven } from "./decimals.ts";
import { hold } from "./violation.ts";

/** I12: three open rounds with consecutive numbers, at all times after the founding. */
export function threeConsecutiveRoundsAreOpen(dso: PartyId, book: Book): void {
  const numbers = book
    .signedBy(dso, OpenMiningRound)
    .map(({ payload }) => payload.round.number)
    .sort((a, b) => Number(a - b));
  const [first = -1n] = numbers;
  const isRight = numbers.length === 3 && numbers.every((number, i) => number === first + BigInt(i));
  hold("I12 three consecutive open rounds", isRight, () => numbers.join());
}

/** I12: at most one contract a round number, in any state of the round. */
export function roundNumbersAreUnique(dso: PartyId, book: Book): void {
  const numbers = [OpenMiningRound, SummarizingMiningRound, IssuingMiningRound, ClosedMiningRound].flatMap(
    (template) => book.signedBy(dso, template).map(({ payload }) => payload.round.number),
  );
  hold("I12 one contract a round number", new Set(numbers).size === numbers.length, () => numbers.join());
}

/** Exactly one AnsRules, AmuletRules, DsoRules and NameCare that the DSO signed. */
export function rulesAreUnique(dso: PartyId, book: Book): void {
  for (const template of [AnsRules, AmuletRules, DsoRules, NameCare]) {
    const count = book.signedBy(dso, template).length;
    hold(`exactly one ${template.entity}`, count === 1, () => `there are ${count}`);
  }
}

/** A new round has the median of the SVs' votes for its price, and each SV votes once. */
export function newRoundsHaveTheMedianPrice(transaction: Transaction, dso: PartyId, book: Book): void {
  for (const node of listExercises(transaction, "DsoRules_AdvanceOpenMiningRounds")) {
    if (book.payload(DsoRules, node.contractId).dso !== dso) continue;
    const { amuletPriceVoteCids } = node.argument.value as { amuletPriceVoteCids: readonly ContractId[] };
    const { openRound } = node.result.value as { readonly openRound: ContractId };
    const votes = amuletPriceVoteCids.map((cid) => book.payload(AmuletPriceVote, cid));
    const voters = new Set(votes.map(({ sv }) => sv));
    const everybody = book.payload(DsoRules, node.contractId).svs.every(([sv]) => voters.has(sv));
    const prices = votes
      .flatMap(({ amuletPrice }) => (amuletPrice === null ? [] : [amuletPrice]))
      .sort((a, b) => (a < b ? -1 : 1));
    const [low = 0n, high = 0n] = [
      prices[Math.floor((prices.length - 1) / 2)],
      prices[Math.floor(prices.length / 2)],
    ];
    const price = book.payload(OpenMiningRound, openRound).amuletPrice;
    const isMedian = price === roundHalfEven(low + high, 2n);
    hold("a new round has the median price", everybody && voters.size === votes.length && isMedian, () => {
      return `${price} from the votes ${prices.join()}`;
    });
  }
}
