/** The three open rounds with consecutive numbers, the oldest first. */
import type { AgendaRound } from "../../agenda/agenda-rounds.ts";
import { ROUNDS } from "../../kinds/subject.ts";
import type { Moment } from "../dso-automation.ts";
import type { LedgerFacts } from "../ledger-facts.ts";

export type OpenRounds = readonly [oldest: AgendaRound, middle: AgendaRound, latest: AgendaRound];

export function findOpenRounds({ rounds }: LedgerFacts): OpenRounds | null {
  const [oldest, middle, latest] = rounds;
  return oldest === undefined || middle === undefined || latest === undefined
    ? null
    : [oldest, middle, latest];
}

export function hasOpenRounds(facts: LedgerFacts): boolean {
  return findOpenRounds(facts) !== null;
}

/** The moment at which the next round may open. */
export function listNextRoundMoments({ agenda }: LedgerFacts): readonly Moment[] {
  const at = agenda.rounds.findNextDue();
  return at === null ? [] : [{ at, subject: ROUNDS }];
}

/** True if the next round may open: the ledger's own condition. */
export function isNextRoundDue({ agenda, now }: LedgerFacts): boolean {
  const due = agenda.rounds.findNextDue();
  return due !== null && due <= now;
}
