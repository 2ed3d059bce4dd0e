/** Scan's collected rewards, compared with the auditor's own sums: in total and by round. */
import {
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../../../packages/ledger/src/index.ts";
import { hold } from "../audit/violation.ts";
import type { EconomyWorld } from "./economy-world.ts";

/** The last round such that no round up to it is open, summarised or issuing; −1 if there is none. */
function lastClosed({ auditor, network }: EconomyWorld): bigint {
  const live = [OpenMiningRound, SummarizingMiningRound, IssuingMiningRound].flatMap((template) => {
    return auditor.book.signedBy(network.dso, template).map(({ payload }) => payload.round.number);
  });
  return live.reduce((least, number) => (number < least ? number : least)) - 1n;
}

/** I19: the total is the sum of the rounds that count, and rounds that do not count yet say so. */
export function scanSaysWhatWasCollected(world: EconomyWorld, from = 0n): void {
  const { scan, auditor } = world;
  const { collected } = auditor.rewards;
  const last = lastClosed(world);
  const expected = [...collected]
    .filter(([round]) => round <= last)
    .reduce((sum, [, amount]) => sum + amount, 0n);
  const said = scan.rewards.total();
  hold("I19 scan's total is what was collected", said === expected, () => {
    return `scan says ${said}, up to round ${last} it is ${expected}`;
  });
  for (let round = from; round <= last; round++) {
    const ofRound = scan.rewards.findByRound(round);
    hold("I19 scan says what was collected in a round", ofRound === (collected.get(round) ?? 0n), () => {
      return `scan says ${ofRound} of round ${round}, it is ${collected.get(round) ?? 0n}`;
    });
  }
  const early = scan.rewards.findByRound(last + 1n);
  hold(
    "I19 scan is silent on a round that goes on",
    early === undefined,
    () => `${early} of round ${last + 1n}`,
  );
}
