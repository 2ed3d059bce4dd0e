/** SVs agree on an action: each confirms it at its own time, and an SV that sees the quorum executes it. */
import type { ActionRequiringConfirmation } from "../../../packages/ledger/src/index.ts";
import { verdictOf } from "../actions/action.ts";
import type { World } from "../world.ts";

const QUORUM: Readonly<Record<number, number>> = { 1: 1, 4: 3, 7: 5 };

/** Each SV confirms with this probability, unless it has; one of them executes, if there are enough. */
export function agree(
  { random, dso }: World,
  action: ActionRequiringConfirmation,
  eagerness: number,
): string {
  for (const sv of random.shuffle(dso.svs)) {
    if (random.chance(eagerness) && !dso.confirmationsOf(action).has(sv.party)) sv.confirm(action);
  }
  const confirmations = [...dso.confirmationsOf(action).values()];
  if (confirmations.length < (QUORUM[dso.svs.length] ?? 0)) return "no quorum yet";
  return verdictOf(random.pick(dso.svs).execute(action, confirmations));
}
