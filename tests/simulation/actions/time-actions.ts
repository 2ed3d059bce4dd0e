/** Time passes: by a microsecond or by months, to the edge of what is about to happen and one step beyond. */

import { RequestWithdrawal } from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { LockedAmulet } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { AnsEntry } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { Confirmation } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { SubscriptionIdleState } from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../packages/ledger/src/values/duration.ts";
import { addDuration, formatTime, type Time } from "../../../packages/ledger/src/values/time.ts";
import { nextRoundDue } from "../../../packages/ledger/testing/open-rounds.ts";
import type { World } from "../world.ts";
import { type Action, verdictOf } from "./action.ts";

function pass({ random, network }: World): string {
  const span = random.pick([1n, SECOND, MINUTE, 10n * MINUTE, 20n * MINUTE, HOUR]);
  network.advance(1n + random.bigBelow(span));
  return formatTime(network.now);
}

/** Weeks or months: names lapse, confirmations are long gone. Seldom, or nothing would ever grow old enough. */
function leap({ random, network }: World): string {
  network.advance(DAY + random.bigBelow(BigInt(random.between(5, 100)) * DAY));
  return formatTime(network.now);
}

/** Deadlines that lie ahead. */
function listDeadlines({ network }: World): readonly Time[] {
  const { dso, now } = network;
  const deadlines = [
    nextRoundDue(network),
    ...network
      .active(OpenMiningRound, dso)
      .flatMap(({ payload }) => [payload.opensAt, payload.targetClosesAt]),
    ...network.active(AnsEntry, dso).map(({ payload }) => payload.expiresAt),
    ...network.active(LockedAmulet, dso).map(({ payload }) => payload.lock.expiresAt),
    ...network.active(Confirmation, dso).map(({ payload }) => payload.expiresAt),
    ...network.active(RequestWithdrawal, dso).map(({ payload }) => payload.withdrawableAt),
    ...network.active(SubscriptionIdleState, dso).flatMap(({ payload }) => {
      const { nextPaymentDueAt: due, payData } = payload;
      const opens = addDuration(due, -payData.paymentDuration.microseconds);
      return [opens, opens, due];
    }),
  ];
  return deadlines.filter((deadline) => deadline > now + 2n);
}

/** Two microseconds before a deadline, so that the next entries come before, at and after it; or right at it. */
function approach(world: World): string {
  const { random, network } = world;
  const deadline = random.find(listDeadlines(world));
  if (deadline === undefined) return pass(world);
  network.advanceTo(addDuration(deadline, -BigInt(random.between(0, 2))));
  return formatTime(network.now);
}

function moveClock({ random, network }: World): string {
  const outcome = network.moveClock(random.pick([1n, MINUTE, HOUR, 0n, -5n]));
  return `${verdictOf(outcome)}, ${formatTime(network.now)}`;
}

export const timeActions: readonly Action[] = [
  { name: "time passes", weight: 22, run: pass },
  { name: "approach", weight: 12, run: approach },
  { name: "leap", weight: 1, run: leap },
  { name: "move clock", weight: 2, run: moveClock },
];
