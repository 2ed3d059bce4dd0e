/**
 * Records once in every open round that the validator was up, which is paid when the round issues. The oldest
 * round that has no record comes first. A round that pays nothing for it is left out.
 */
import {
  addDuration,
  type Decimal,
  decimalFromUnits,
  ONE,
  type Time,
  ValidatorLicense,
  ZERO,
} from "@callsign/ledger";
import { onePage } from "@callsign/node";
import { exercise } from "../ledger/commands.ts";
import { disclose, type OpenRoundContract, readContractId } from "../scans/network-facts.ts";
import type { LicensedParts } from "./license.ts";
import type { ValidatorAutomation } from "./validator-automation.ts";

export function recordLiveness({ facts, license }: LicensedParts): ValidatorAutomation {
  const listUnrecorded = async (): Promise<readonly OpenRoundContract[]> => {
    const held = await license.find();
    if (held === undefined) return [];
    const last = held.payload.faucetState?.lastReceivedFor.number ?? -1n;
    return (await facts.openRounds()).filter(
      ({ payload }) => payload.round.number > last && faucetCap(payload) > ZERO,
    );
  };
  return {
    name: "record-liveness",
    concerns: [ValidatorLicense],
    listDue: onePage(async (now) => {
      const round = (await listUnrecorded()).find(({ payload }) => payload.opensAt <= now);
      return round === undefined ? [] : [{ task: `round ${roundNumber(round)}`, owner: license.validator }];
    }),
    nextDueAt: async (now) => {
      if ((await license.find()) === undefined) return null;
      const rounds = await facts.openRounds();
      return rounds.find(({ payload }) => payload.opensAt > now)?.payload.opensAt ?? roundAfter(rounds);
    },
    perform: (task) =>
      license.submit(async () => {
        const held = await license.find();
        const round = (await listUnrecorded()).find((each) => `round ${roundNumber(each)}` === task);
        if (held === undefined || round === undefined) return "stale";
        const openRoundCid = readContractId(round.contract);
        const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
        return {
          commands: [exercise(ValidatorLicense, held.contractId, choice, { openRoundCid })],
          disclosed: [disclose(round.contract)],
          notBefore: round.payload.opensAt,
        };
        // Its reward pays for traffic.
      }, "high"),
  };
}

function roundNumber({ payload }: OpenRoundContract): bigint {
  return payload.round.number;
}

/** 2.85 dollars a record, for rounds without a figure of their own. */
const DEFAULT_FAUCET_CAP = decimalFromUnits((285n * ONE) / 100n);

function faucetCap({ issuanceConfig }: OpenRoundContract["payload"]): Decimal {
  return issuanceConfig.optValidatorFaucetCap ?? DEFAULT_FAUCET_CAP;
}

/** The time at which the next round is expected to open. */
function roundAfter(rounds: readonly OpenRoundContract[]): Time | null {
  const newest = rounds.at(-1)?.payload;
  return newest === undefined ? null : addDuration(newest.opensAt, newest.tickDuration.microseconds);
}
