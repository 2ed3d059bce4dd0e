/** Contracts of one party: rights of featured apps, preapprovals of receivers, commands of senders. */
import { spliceError, type TransferCommandStatus } from "@callsign/api";
import { FeaturedAppRight, TransferCommandCounter, TransferPreapproval } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { findContract } from "../contracts/find-contract.ts";
import { MAX_LISTED_CONTRACTS } from "../limits/limits.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { KnownCommand } from "../rows/transfer-command-rows.ts";
import { showWithState, toWireContract } from "../wire/wire-contract.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function partyContractRoutes(index: () => ScanIndex) {
  return {
    listFeaturedAppRights: () => ({
      featured_apps: index().partyContracts.list(FeaturedAppRight, MAX_LISTED_CONTRACTS).map(toWireContract),
    }),
    lookupFeaturedAppRight: ({ params: { provider_party_id: provider } }) => ({
      featured_app_right: showOrNull(index().partyContracts.findOldest(FeaturedAppRight, provider)),
    }),
    listFeaturedAppRightsByProvider: ({ params: { provider_party_id: provider } }) => ({
      featured_apps: index()
        .partyContracts.listOf(FeaturedAppRight, provider, MAX_LISTED_CONTRACTS)
        .map(toWireContract),
    }),
    lookupFeaturedAppRightByContractId: ({ params: { contract_id } }) => ({
      featured_app_right: showOrNull(findRight(index(), contract_id)),
    }),
    lookupTransferPreapprovalByParty: ({ params: { party } }) => {
      const { partyContracts, network } = index();
      const found = partyContracts.findNewest(TransferPreapproval, party);
      if (found === undefined)
        throw new Refusal(spliceError(404, `No TransferPreapproval found for party: ${party}`));
      return { transfer_preapproval: showWithState(found, network?.synchronizerId ?? null) };
    },
    lookupTransferCommandCounterByParty: ({ params: { party } }) => {
      const { partyContracts, network } = index();
      const found = partyContracts.findNewest(TransferCommandCounter, party);
      if (found === undefined) {
        const text = `No TransferCommandCounter found for party: ${party}, use 0 for the nonce`;
        throw new Refusal(spliceError(404, text));
      }
      return { transfer_command_counter: showWithState(found, network?.synchronizerId ?? null) };
    },
    lookupTransferCommandStatus: ({ query: { sender, nonce } }) => {
      const commands = index().transferCommands.find(sender, nonce);
      if (commands.length === 0) {
        const whose = `sender ${sender} with nonce ${nonce}`;
        const text = `Couldn't find transfer command for ${whose} created in the last 24h`;
        throw new Refusal(spliceError(404, text));
      }
      const shown = commands.map((command) => [
        command.contract.contractId,
        { contract: toWireContract(command), status: showStatus(command) },
      ]);
      return { transfer_commands_by_contract_id: Object.fromEntries(shown) };
    },
  } satisfies ScanHandlers;
}

function showOrNull(contract: CurrentContract | undefined) {
  return contract === undefined ? null : toWireContract(contract);
}

/** Anybody may create a right that names a DSO of their own. */
function findRight({ state, network }: ScanIndex, id: string) {
  const right = findContract(state, FeaturedAppRight, id);
  return right?.payload.dso === network?.dso ? right : undefined;
}

function showStatus({ end }: KnownCommand): TransferCommandStatus {
  if (end === null) return { status: "created", failure_kind: null, reason: null };
  const { outcome, reason } = end;
  return outcome === "sent"
    ? { status: "sent", failure_kind: null, reason: null }
    : { status: "failed", failure_kind: outcome, reason };
}
