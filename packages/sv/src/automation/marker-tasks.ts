/**
 * Markers of featured apps' activity become coupons of the latest round that has opened: a hundred at a time, and what
 * is left once the oldest has waited for long enough. Batches begin with the oldest markers, so that they are the same
 * on every SV while more come in, and each is another SV's to do first.
 */
import { type ContractId, FeaturedAppActivityMarker } from "@callsign/ledger";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

const BATCH = 100;
/** The others follow once these are done. */
const BATCHES_AT_ONCE = 4;

export function listMarkerTasks({ facts, rules, sv }: Deciding): readonly Task[] {
  const { agenda, now } = facts;
  const round = facts.rounds.findLast(({ opensAt }) => opensAt <= now);
  if (round === undefined) return [];
  const due = agenda.markersDue();
  const markers = agenda.rows.listByKey(FeaturedAppActivityMarker, 0n, BATCH * BATCHES_AT_ONCE);
  const tasks: Task[] = [];
  for (let from = 0; from < markers.length; from += BATCH) {
    const markerCids = markers.slice(from, from + BATCH).map(({ contractId }) => contractId);
    // Of those behind a whole batch the oldest may have waited for as long: they are looked at once that is done.
    if (markerCids.length < BATCH && (from > 0 || due === null || due > now)) break;
    const command = exerciseDsoRules(rules, sv, "DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers", {
      amuletRulesCid: rules.amuletRulesCid,
      argument: { markerCids, openMiningRoundCid: round.cid, observers: null },
    });
    tasks.push({
      automation: "convert-activity-markers",
      key: keyOf(markerCids),
      commands: [command],
      enough: 1,
    });
  }
  return tasks;
}

function keyOf(cids: readonly ContractId[]): string {
  return `convert ${cids.length} ${cids[0]} ${cids.at(-1)}`;
}
