/** The operator's views of the participant, and of the preapprovals that the validator provides. */
import { TransferPreapproval } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { takeSnapshot } from "../ledger/data-snapshot.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";
import { dumpIdentities } from "../ledger/participant-identities.ts";
import { describeSequencers } from "../ledger/sequencer-config.ts";
import { listContractsWithState } from "../wallet/list-contracts.ts";
import { cancelPreapproval, lookUpPreapproval } from "../wallet/provided-preapprovals.ts";
import type { Running, Served } from "./running.ts";

export function adminHandlers(running: () => Running) {
  return {
    dumpParticipantIdentities: () => told(dumpIdentities(running())),
    getDecentralizedSynchronizerConnectionConfig: async () => ({
      sequencer_connections: await told(describeSequencers(running().participantAdmin)),
    }),
    getValidatorDomainDataSnapshot: async ({ query: { timestamp, migration_id, force } }) => {
      const parts = running();
      const request = {
        ...{ timestamp, parties: parts.follower.parties, force: force === "true" },
        migrationId: readMigration(migration_id) ?? parts.migrationId + 1,
        synchronizerId: (await parts.facts.synchronizerId()) ?? "",
      };
      await parts.facts.refreshTime();
      const data_snapshot = await told(takeSnapshot(parts, request));
      return { data_snapshot, migration_id: request.migrationId };
    },
    lookupTransferPreapprovalByParty: async ({ params }) => ({
      transfer_preapproval: await lookUpPreapproval(running(), params["receiver-party"]),
    }),
    cancelTransferPreapprovalByParty: ({ params }) => cancelPreapproval(running(), params["receiver-party"]),
    listTransferPreapprovals: async () => {
      const parts = running();
      const provided = { link: parts.operatorParty };
      return { contracts: await listContractsWithState(parts, TransferPreapproval, provided) };
    },
  } satisfies Partial<Served>;
}

function readMigration(given: bigint | null): number | undefined {
  if (given === null) return undefined;
  if (given >= 0n && given <= Number.MAX_SAFE_INTEGER) return Number(given);
  throw new ValidatorError({
    kind: "invalid-request",
    text: `migration_id: ${given} is none; they count from 0.`,
  });
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toValidatorError(error);
  }
}
