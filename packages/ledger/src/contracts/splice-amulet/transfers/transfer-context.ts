/**
 * The terms of a transfer: what its context says once every contract in it was checked. The round must be
 * open, a featured right must be the provider's own, issuing rounds must be open and stand under their own
 * number, validator rights must be the sender's.
 */
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import type { Decimal } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso, forRound } from "../../checks/contract-group.ts";
import { requireDeadlineExceeded } from "../../checks/deadline.ts";
import { requireMatchingContract } from "../../checks/matching-contract.ts";
import { holdingFeeInCoin } from "../coin/expiring-amount.ts";
import { FeaturedAppRight, ValidatorRight } from "../declarations/amulet.ts";
import type { TransferConfigV2 } from "../declarations/amulet-config.ts";
import { IssuingMiningRound, OpenMiningRound } from "../declarations/round.ts";
import type { Round } from "../declarations/round-number.ts";
import type { Transfer, TransferContext } from "../declarations/transfer.ts";

export interface TransferTerms {
  readonly dso: PartyId;
  /** New coins carry this round. */
  readonly round: Round;
  readonly amuletPrice: Decimal;
  /** The limits, and the holding fee in coin. */
  readonly config: TransferConfigV2;
  readonly isFeatured: boolean;
  /** Rewards of these rounds can be minted. */
  readonly issuingRounds: readonly IssuingMiningRound[];
  /** By user: the sender's rights to mint rewards of others. */
  readonly validatorRights: TransferContext["validatorRights"];
}

const NO_ROUNDS: readonly IssuingMiningRound[] = [];

export function readTransferContext(
  update: Update,
  dso: PartyId,
  { sender, provider }: Transfer,
  context: TransferContext,
): TransferTerms {
  const openRound = fetchChecked(update, OpenMiningRound, context.openMiningRound, forDso(dso));
  requireDeadlineExceeded("openRound.opensAt", update.now, openRound.opensAt);
  const isFeatured = checkFeaturedAppRight(update, { dso, provider }, context.featuredAppRight);
  const issuingRounds =
    context.issuingMiningRounds.length === 0 ? NO_ROUNDS : fetchIssuingRounds(update, dso, context);
  for (const [user, rightCid] of context.validatorRights) {
    requireMatchingContract(update, ValidatorRight, rightCid, { dso, user, validator: sender });
  }
  const { holdingFee, maxNumInputs, maxNumOutputs, maxNumLockHolders } = openRound.transferConfigUsd;
  return {
    dso,
    round: openRound.round,
    amuletPrice: openRound.amuletPrice,
    config: {
      holdingFee: holdingFeeInCoin(holdingFee, openRound.amuletPrice),
      maxNumInputs,
      maxNumOutputs,
      maxNumLockHolders,
    },
    isFeatured,
    issuingRounds,
    validatorRights: context.validatorRights,
  };
}

/** True if a right was given; it has to be exactly the provider's. */
export function checkFeaturedAppRight(
  update: Update,
  expected: { readonly dso: PartyId; readonly provider: PartyId },
  featuredAppRight: ContractId | null,
): boolean {
  if (featuredAppRight === null) return false;
  requireMatchingContract(update, FeaturedAppRight, featuredAppRight, expected);
  return true;
}

function fetchIssuingRounds(
  update: Update,
  dso: PartyId,
  { issuingMiningRounds }: TransferContext,
): readonly IssuingMiningRound[] {
  return issuingMiningRounds.map(([{ number }, contractId]: readonly [Round, ContractId]) => {
    const round = fetchChecked(update, IssuingMiningRound, contractId, forRound(dso, number));
    requireDeadlineExceeded(`issuingRound[${number}].opensAt`, update.now, round.opensAt);
    return round;
  });
}
