/**
 * ValidatorLicense: the DSO's license of a validator. The validator reports that it is up, once a round at most
 * and in rising rounds, and earns a liveness record each time; the license counts the rounds it missed in
 * between. Its version and contact point change at most once an hour.
 */
import { abort, requireThat } from "../../../engine/failure.ts";
import { implement } from "../../../engine/template.ts";
import { HOUR } from "../../../values/duration.ts";
import { int64 } from "../../../values/int64.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { RelTime, relTime } from "../../rel-time.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import type { Round } from "../declarations/round-number.ts";
import {
  type FaucetState,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
} from "../declarations/validator-license.ts";

const MAX_TEXT_LENGTH = 255;
const MIN_INTERVAL = HOUR;
const UPDATE_LABEL = `At least ${RelTime.show(relTime(MIN_INTERVAL))} has passed since the last metadata update`;
/** Splice's label has its own name for the interval in it, by mistake; clients see it like this. */
const REPORT_LABEL = "At least <> show activityReportMinInterval  has passed since the last activity report";

export const validatorLicense = implement(ValidatorLicense, {
  signatories: ({ dso }) => [dso],
  observers: ({ validator }) => [validator],
  ensure: ({ metadata }) =>
    metadata === null || (isShortEnough(metadata.version) && isShortEnough(metadata.contactPoint)),
  choices: {
    ValidatorLicense_ReceiveFaucetCoupon: {
      controllers: ({ validator }) => [validator],
      exercise: () =>
        abort(
          "ValidatorLicense_ReceiveFaucetCoupon is deprecated. Please use ValidatorLicense_RecordValidatorLivenessActivity instead.",
        ),
    },
    ValidatorLicense_RecordValidatorLivenessActivity: {
      controllers: ({ validator }) => [validator],
      exercise: ({ update, contract: license, argument: { openRoundCid } }) => {
        const { dso, validator } = license;
        const { round, opensAt } = fetchChecked(update, OpenMiningRound, openRoundCid, forDso(dso));
        requireThat("OpenRound is open", opensAt <= update.now);
        const faucetState = receivedFor(license.faucetState, round);
        const licenseCid = update.create(ValidatorLicense, {
          ...license,
          faucetState,
          lastActiveAt: update.now,
        });
        const couponCid = update.create(ValidatorLivenessActivityRecord, { dso, validator, round });
        return { licenseCid, couponCid };
      },
    },
    ValidatorLicense_Withdraw: { controllers: ({ dso }) => [dso], exercise: () => ({}) },
    ValidatorLicense_Cancel: { controllers: ({ validator }) => [validator], exercise: () => ({}) },
    ValidatorLicense_UpdateMetadata: {
      controllers: ({ validator }) => [validator],
      exercise: ({ update, contract: license, argument: { version, contactPoint } }) => {
        const { now } = update;
        const before = license.metadata;
        if (before !== null) {
          const changed = version !== before.version || contactPoint !== before.contactPoint;
          requireThat("Metadata has changed", changed);
          requireThat(UPDATE_LABEL, now - before.lastUpdatedAt >= MIN_INTERVAL);
        }
        const metadata = { lastUpdatedAt: now, version, contactPoint };
        return { licenseCid: update.create(ValidatorLicense, { ...license, metadata, lastActiveAt: now }) };
      },
    },
    ValidatorLicense_ReportActive: {
      controllers: ({ validator }) => [validator],
      exercise: ({ update, contract: license }) => {
        const { now } = update;
        const { lastActiveAt } = license;
        requireThat(REPORT_LABEL, lastActiveAt === null || now - lastActiveAt >= MIN_INTERVAL);
        return { licenseCid: update.create(ValidatorLicense, { ...license, lastActiveAt: now }) };
      },
    },
  },
});

function receivedFor(state: FaucetState | null, round: Round): FaucetState {
  if (state === null) return { firstReceivedFor: round, lastReceivedFor: round, numCouponsMissed: 0n };
  const last = state.lastReceivedFor.number;
  requireThat("Not yet received", last < round.number);
  return {
    firstReceivedFor: state.firstReceivedFor,
    lastReceivedFor: round,
    numCouponsMissed: int64(state.numCouponsMissed + (round.number - last - 1n)),
  };
}

/** Daml counts code points. */
function isShortEnough(text: string): boolean {
  return text.length <= MAX_TEXT_LENGTH || [...text].length <= MAX_TEXT_LENGTH;
}
