/**
 * The outcome of a vote; an open vote is a failure. A quorum against it always ends it. Without a date
 * a quorum for it does too, and else the end of the voting period. With a date, too few votes end it when the
 * period is over, and otherwise it is decided on the date.
 */
import { abort } from "../../engine/failure.ts";
import type { Time } from "../../values/time.ts";
import type { VoteRequest, VoteRequestOutcome } from "./declarations/vote-request.ts";

interface Tally {
  readonly yes: number;
  readonly no: number;
  readonly required: number;
}

const REJECTED: VoteRequestOutcome = { tag: "VRO_Rejected", value: {} };
const EXPIRED: VoteRequestOutcome = { tag: "VRO_Expired", value: {} };

export function decideVote(request: VoteRequest, tally: Tally, now: Time): VoteRequestOutcome {
  const { targetEffectiveAt, voteBefore, action } = request;
  const { yes, no, required } = tally;
  if (no >= required) return REJECTED;
  const isOver = now >= voteBefore;
  if (targetEffectiveAt === null) {
    if (yes >= required) {
      // An action without meaning has no time of effect.
      if (action.tag === "ExtActionRequiringConformation")
        abort("Encountered unexpected ExtActionRequiringConformation at runtime");
      return { tag: "VRO_Accepted", value: { effectiveAt: now } };
    }
    return isOver ? EXPIRED : abort("no definite outcome for voting request without effectivity");
  }
  if (isOver && yes + no < required) return EXPIRED;
  if (now < targetEffectiveAt) return abort("no definitive outcome for voting request with effectivity");
  return yes >= required ? { tag: "VRO_Accepted", value: { effectiveAt: targetEffectiveAt } } : REJECTED;
}
