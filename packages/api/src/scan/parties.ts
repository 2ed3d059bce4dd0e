/** Contracts of one party: rights of featured apps, preapprovals of receivers, commands of senders. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract, ContractWithState } from "../splice/contract.ts";
import { partyParameter } from "../splice/party-parameter.ts";
import { mapOf } from "../wire/map-of.ts";
import { int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

const FeaturedApps = z.object({ featured_apps: z.array(Contract) });
const FeaturedAppRight = z.object({ featured_app_right: orNull(Contract) });

const TransferCommandStatus = z
  .object({
    status: z.enum(["created", "sent", "failed"]),
    /** Null unless it failed. */
    failure_kind: orNull(z.enum(["failed", "expired", "withdrawn"])),
    reason: orNull(z.string()),
  })
  .meta({ id: "TransferCommandContractStatus" });
export type TransferCommandStatus = z.output<typeof TransferCommandStatus>;

const provider = z.object({ provider_party_id: partyParameter });
const byParty = { params: z.object({ party: partyParameter }), errors: [400, 404, 429, 503] } as const;

export const scanParties = defineEndpoints({ tags: ["internal", "scan"], auth: "none", method: "GET" })({
  listFeaturedAppRights: {
    path: "/v0/featured-apps",
    summary: "The rights of featured apps, oldest first; at most 1,000",
    success: json(FeaturedApps),
    errors: [429, 503],
  },
  lookupFeaturedAppRight: {
    path: "/v0/featured-apps/{provider_party_id}",
    summary: "The oldest right of a provider as a featured app, or null",
    params: provider,
    success: json(FeaturedAppRight),
    errors: [400, 429, 503],
  },
  listFeaturedAppRightsByProvider: {
    path: "/v0/featured-apps/by-provider/{provider_party_id}",
    summary: "The rights of a provider as a featured app, oldest first; at most 1,000",
    params: provider,
    success: json(FeaturedApps),
    errors: [400, 429, 503],
  },
  lookupFeaturedAppRightByContractId: {
    path: "/v0/featured-apps/by-contract-id/{contract_id}",
    summary: "The right of a featured app with this contract id, or null",
    params: z.object({ contract_id: z.string() }),
    success: json(FeaturedAppRight),
    errors: [400, 429, 503],
  },
  lookupTransferPreapprovalByParty: {
    ...byParty,
    path: "/v0/transfer-preapprovals/by-party/{party}",
    summary: "The receiver's preapproval that is valid from the latest time, also after it has expired",
    success: json(z.object({ transfer_preapproval: ContractWithState })),
  },
  lookupTransferCommandCounterByParty: {
    ...byParty,
    path: "/v0/transfer-command-counter/{party}",
    summary: "The number of the sender's next transfer command",
    success: json(z.object({ transfer_command_counter: ContractWithState })),
  },
  lookupTransferCommandStatus: {
    path: "/v0/transfer-command/status",
    summary: "The transfer commands of a sender with one number, and how each ended",
    query: z.object({ sender: partyParameter, nonce: int64Parameter }),
    success: json(
      z.object({
        /** At most 100. */
        transfer_commands_by_contract_id: mapOf(
          z.object({ contract: Contract, status: TransferCommandStatus }),
        ),
      }),
    ),
    errors: [400, 404, 429, 503],
  },
});
