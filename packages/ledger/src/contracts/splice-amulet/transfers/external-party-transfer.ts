/**
 * A transfer for parties that sign outside and take their time: it goes by a configuration state, which stays in
 * force for a day and more, instead of a round. New coins carry the state's round and price; nothing is minted.
 */
import type { Update } from "../../../engine/update.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { holdingFeeInCoin } from "../coin/expiring-amount.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";
import type { ExternalPartyTransferContext, Transfer, TransferResult } from "../declarations/transfer.ts";
import { checkFeaturedAppRight } from "./transfer-context.ts";
import { transferOnTerms } from "./transfer-engine.ts";

export function executeExternalPartyTransfer(
  update: Update,
  dso: PartyId,
  transfer: Transfer,
  { externalPartyConfigState, featuredAppRight }: ExternalPartyTransferContext,
): TransferResult {
  const state = fetchChecked(update, ExternalPartyConfigState, externalPartyConfigState, forDso(dso));
  const isFeatured = checkFeaturedAppRight(update, { dso, provider: transfer.provider }, featuredAppRight);
  const { holdingFeesOpenRoundNumber: round, amuletPrice, transferConfig } = state;
  const holdingFee = holdingFeeInCoin(transferConfig.holdingFee, amuletPrice);
  const config = { ...transferConfig, holdingFee };
  const terms = {
    dso,
    round,
    amuletPrice,
    config,
    isFeatured,
    issuingRounds: [],
    validatorRights: [],
  };
  return transferOnTerms(update, terms, transfer);
}
