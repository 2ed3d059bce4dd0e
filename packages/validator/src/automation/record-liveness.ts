/**
 * Records once in every open round that the validator was up: for that it is paid when the round issues. The oldest
 * round that has no record comes first. A round that pays nothing for it is left out.
 */
import { addDuration, type Decimal, parseDecimal, type Time, ValidatorLicense } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { disclose, type NetworkFacts, readContractId } from "../scans/network-facts.ts";
import type { OpenRound } from "../scans/scan-lookups.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { type Automation, onePage } from "./automation.ts";
import type { License } from "./license.ts";
import { stale } from "./stale.ts";

export interface LivenessParts {
  readonly facts: NetworkFacts;
  readonly ledger: WalletLedger;
  readonly license: License;
}

const ZERO_CAP = 0n;

export function recordLiveness({ facts, ledger, license }: LivenessParts): Automation {
  const listUnrecorded = async (): Promise<readonly OpenRound[]> => {
    const held = await license.find();
    if (held === undefined) return [];
    const last = held.payload.faucetState?.lastReceivedFor.number ?? -1n;
    return (await facts.openRounds()).filter(
      ({ payload }) => payload.round.number > last && faucetCap(payload) > ZERO_CAP,
    );
  };
  return {
    name: "record-liveness",
    reactsTo: [ValidatorLicense],
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
      license.inTurn(async () => {
        await ledger.submitAsOperator(async () => {
          const held = await license.find();
          const round = (await listUnrecorded()).find((each) => `round ${roundNumber(each)}` === task);
          if (held === undefined || round === undefined) throw stale(task);
          const openRoundCid = readContractId(round.contract);
          const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
          return {
            commands: [exercise(ValidatorLicense, held.contractId, choice, { openRoundCid })],
            disclosed: [disclose(round.contract)],
            notBefore: round.payload.opensAt,
          };
        });
        return true;
      }),
  };
}

function roundNumber({ payload }: OpenRound): bigint {
  return payload.round.number;
}

/** In dollars a record; what rounds without a figure of their own pay. */
const DEFAULT_FAUCET_CAP = parseDecimal("2.85");

function faucetCap({ issuanceConfig }: OpenRound["payload"]): Decimal {
  if (!DEFAULT_FAUCET_CAP.ok) throw new Error(DEFAULT_FAUCET_CAP.error);
  return issuanceConfig.optValidatorFaucetCap ?? DEFAULT_FAUCET_CAP.value;
}

/** When the round that nobody has opened yet can be expected. */
function roundAfter(rounds: readonly OpenRound[]): Time | null {
  const newest = rounds.at(-1)?.payload;
  return newest === undefined ? null : addDuration(newest.opensAt, newest.tickDuration.microseconds);
}
