/** The automations that need their operator come first: stuck ones, then waiting ones, then the others by name. */
import type { WireAutomationStatus } from "@callsign/api";

export type AutomationState = "stuck" | "waiting" | "working" | "paused" | "resting";

export function stateOf({ paused, stuck, waiting, in_flight }: WireAutomationStatus): AutomationState {
  if (paused) return "paused";
  if (stuck.length > 0) return "stuck";
  if (waiting > 0) return "waiting";
  return in_flight > 0 ? "working" : "resting";
}

const RANKS: Readonly<Record<AutomationState, number>> = {
  stuck: 0,
  waiting: 1,
  paused: 2,
  working: 3,
  resting: 3,
};

export function orderAutomations(given: readonly WireAutomationStatus[]): readonly WireAutomationStatus[] {
  return [...given].sort(
    (a, b) => RANKS[stateOf(a)] - RANKS[stateOf(b)] || (a.automation < b.automation ? -1 : 1),
  );
}

/** A name whose renewal waits for coin. */
export interface UpcomingLapse {
  readonly name: string;
  readonly endsAt: string;
  readonly needed: string;
  readonly available: string;
}

/** Names that lapse unless their owners get coin, the first one first. */
export function listLapses(automations: readonly WireAutomationStatus[]): readonly UpcomingLapse[] {
  const waits = automations.flatMap((each) => each.waits);
  const lapses = waits.flatMap(({ details }) => {
    const { name, ends_at, coin_needed, coin_available } = details ?? {};
    if (name === undefined || ends_at === undefined) return [];
    return [{ name, endsAt: ends_at, needed: coin_needed ?? "", available: coin_available ?? "" }];
  });
  return lapses.sort((a, b) => Date.parse(a.endsAt) - Date.parse(b.endsAt));
}
