/**
 * The life of rounds: opening, closing, price and issuance. After the founding there are always three, with
 * consecutive numbers: normally two can be used and the third is announced. A tick is half a round's life.
 * Issuance time advances by a tick a round, however slowly the clock lets rounds follow each other.
 */
import { requireThat } from "../../../engine/failure.ts";
import type { Decimal } from "../../../values/decimal.ts";
import { int64 } from "../../../values/int64.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, laterTime, type Time } from "../../../values/time.ts";
import { type RelTime, relTime } from "../../rel-time.ts";
import type { AmuletConfig } from "../declarations/amulet-config.ts";
import type { OpenMiningRound } from "../declarations/round.ts";
import { issuanceAt } from "./schedule.ts";

export interface RoundSetting {
  readonly dso: PartyId;
  readonly config: AmuletConfig;
  readonly amuletPrice: Decimal;
  readonly now: Time;
}

/** The rounds of a new network. The first two open at once, so that two are usable from the start. */
export function firstRounds(
  setting: RoundSetting,
  initialRound: bigint,
  round0Duration: RelTime,
): readonly [OpenMiningRound, OpenMiningRound, OpenMiningRound] {
  const { config, now } = setting;
  const tick = config.tickDuration.microseconds;
  requireThat("Round0 duration is larger or equal to tick duration", tick <= round0Duration.microseconds);
  const closes0 = addDuration(now, round0Duration.microseconds);
  const closes1 = addDuration(closes0, tick);
  const closes2 = addDuration(closes1, tick);
  const issuing0 = int64(initialRound * tick);
  const round = (offset: bigint, opensAt: Time, targetClosesAt: Time) =>
    openRound(setting, {
      number: initialRound + offset,
      opensAt,
      targetClosesAt,
      issuingFor: issuing0 + offset * tick,
    });
  return [round(0n, now, closes0), round(1n, now, closes1), round(2n, closes0, closes2)];
}

/** Rounds advance once the oldest is due to close, the newest is open and the middle one had its tick. */
export function requireMayAdvance(
  now: Time,
  oldest: OpenMiningRound,
  middle: OpenMiningRound,
  latest: OpenMiningRound,
): void {
  requireThat("middleRound is one after roundToArchive", isNext(middle, oldest));
  requireThat("latestRound is one after middleRound", isNext(latest, middle));
  requireThat("roundToArchive is past targetCloseAt", oldest.targetClosesAt <= now);
  requireThat("latestRound is open", latest.opensAt <= now);
  const middleHadItsTick = addDuration(middle.opensAt, middle.tickDuration.microseconds) <= now;
  requireThat("middle round has been open for >= 1 tick", middleHadItsTick);
}

/** The round after the latest: announced for at least a tick, then open for two. */
export function roundAfter(latest: OpenMiningRound, setting: RoundSetting): OpenMiningRound {
  const tick = setting.config.tickDuration.microseconds;
  const opensAt = addDuration(laterTime(setting.now, latest.opensAt), tick);
  return openRound(setting, {
    number: latest.round.number + 1n,
    opensAt,
    targetClosesAt: addDuration(opensAt, 2n * tick),
    issuingFor: latest.issuingFor.microseconds + latest.tickDuration.microseconds,
  });
}

export function isNext(later: OpenMiningRound, earlier: OpenMiningRound): boolean {
  return later.round.number === earlier.round.number + 1n;
}

function openRound(
  { dso, config, amuletPrice }: RoundSetting,
  round: {
    readonly number: bigint;
    readonly opensAt: Time;
    readonly targetClosesAt: Time;
    readonly issuingFor: bigint;
  },
): OpenMiningRound {
  const issuingFor = relTime(round.issuingFor);
  return {
    dso,
    round: { number: int64(round.number) },
    amuletPrice,
    opensAt: round.opensAt,
    targetClosesAt: round.targetClosesAt,
    issuingFor,
    transferConfigUsd: config.transferConfig,
    issuanceConfig: issuanceAt(config.issuanceCurve, issuingFor),
    tickDuration: config.tickDuration,
  };
}
