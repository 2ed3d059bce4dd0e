/** Number, opening, closing and issuance time of each open round, in the order they were made. */
import { OpenMiningRound } from "../src/contracts/splice-amulet/declarations/round.ts";
import { formatTime } from "../src/values/time.ts";
import type { Sandbox } from "./sandbox.ts";

export function timesOfRounds(sandbox: Sandbox): readonly (readonly [bigint, string, string, bigint])[] {
  return sandbox
    .active(OpenMiningRound)
    .map(
      ({ payload }) =>
        [
          payload.round.number,
          formatTime(payload.opensAt),
          formatTime(payload.targetClosesAt),
          payload.issuingFor.microseconds,
        ] as const,
    );
}
