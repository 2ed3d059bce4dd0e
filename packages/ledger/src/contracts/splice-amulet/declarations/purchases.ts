/** Splice.AmuletRules, what coin is burned for: traffic for members, and preapprovals of transfers. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, numeric, party, text, time } from "../../../daml/scalars.ts";
import { nonConsuming } from "../../../engine/declaration.ts";
import { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { Round } from "./round-number.ts";
import {
  PaymentTransferContext,
  TransferContext,
  TransferInput,
  TransferResult,
  TransferSummary,
} from "./transfer.ts";

export const purchaseChoices = {
  AmuletRules_CreateExternalPartySetupProposal: nonConsuming(
    {
      context: PaymentTransferContext,
      inputs: list(TransferInput),
      user: party,
      validator: party,
      preapprovalExpiresAt: time,
      expectedDso: optional(party),
    },
    record({
      proposalCid: contractId,
      user: party,
      validator: party,
      transferResult: TransferResult,
      amuletPaid: numeric,
      meta: optional(Metadata),
    }),
  ),
  AmuletRules_CreateTransferPreapproval: nonConsuming(
    {
      context: PaymentTransferContext,
      inputs: list(TransferInput),
      receiver: party,
      provider: party,
      expiresAt: time,
      expectedDso: optional(party),
    },
    record({
      transferPreapprovalCid: contractId,
      transferResult: TransferResult,
      amuletPaid: numeric,
      meta: optional(Metadata),
    }),
  ),
  AmuletRules_BuyMemberTraffic: nonConsuming(
    {
      inputs: list(TransferInput),
      context: TransferContext,
      provider: party,
      memberId: text,
      synchronizerId: text,
      migrationId: int64,
      trafficAmount: int64,
      expectedDso: optional(party),
    },
    record({
      round: Round,
      summary: TransferSummary,
      amuletPaid: numeric,
      purchasedTraffic: contractId,
      senderChangeAmulet: optional(contractId),
      meta: optional(Metadata),
    }),
  ),
  AmuletRules_MergeMemberTrafficContracts: nonConsuming(
    { trafficCids: list(contractId) },
    record({ mergedTrafficCid: contractId }),
  ),
} as const;
