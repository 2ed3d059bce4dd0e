/**
 * Markers of featured apps' activity become coupons of the latest round that has opened: a hundred at a time, and the
 * rest once the oldest has waited for long enough. Batches begin with the oldest markers, so that they are the same on
 * every SV while more come in, and each is another SV's to do first.
 */
import { addDuration, FeaturedAppActivityMarker, type Time } from "@callsign/ledger";
import { MARKERS } from "../../kinds/subject.ts";
import { BATCH, BATCHED_AT_ONCE, MARKER_WAIT } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { inBatches } from "../in-batches.ts";
import type { LedgerFacts } from "../ledger-facts.ts";

export const convertActivityMarkers = defineAutomation({
  name: "convert-activity-markers",
  subjects: ["markers"],
  listPiles: () => [MARKERS],
  moments: (facts) => {
    const at = findDue(facts);
    return at === null ? [] : [{ at, subject: MARKERS }];
  },
  decide: ({ facts, rules, task }) => {
    const { agenda, now } = facts;
    const round = facts.rounds.findLast(({ opensAt }) => opensAt <= now);
    if (round === undefined) return [];
    const due = findDue(facts);
    const isDue = due !== null && due <= now;
    const markers = agenda.rows.list(FeaturedAppActivityMarker, BATCHED_AT_ONCE);
    return inBatches(markers, BATCH).flatMap((batch, place) => {
      // The oldest marker behind a whole batch may have waited as long: it is decided on once that batch is done.
      if (batch.length < BATCH && (place > 0 || !isDue)) return [];
      const markerCids = batch.map(({ contractId }) => contractId);
      const key = `convert ${markerCids.length} ${markerCids[0]} ${markerCids.at(-1)}`;
      const argument = { markerCids, openMiningRoundCid: round.cid, observers: null };
      const whole = { amuletRulesCid: rules.amuletRulesCid, argument };
      return [task(key, "DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers", whole)];
    });
  },
});

/** The moment at which the oldest marker has waited for long enough; null if there is none. */
function findDue({ agenda }: LedgerFacts): Time | null {
  const [oldest] = agenda.rows.list(FeaturedAppActivityMarker, 1);
  return oldest === undefined ? null : addDuration(oldest.createdAt, MARKER_WAIT);
}
