/** A participant's own administration, beside its ledger API: what the ledger API has no operations for. */
import { type Api, mergeEndpoints } from "../endpoint.ts";
import { LEDGER_MAX_BODY_BYTES, LedgerErrorBody } from "../ledger/error-body.ts";
import { participantIdentity } from "./identity.ts";
import { participantPruning } from "./pruning.ts";
import { participantSequencers } from "./sequencer-connections.ts";

export const participantAdminApi = {
  name: "participant-admin",
  title: "Participant administration API",
  version: "0.1.0",
  description: "Pruning a participant, its public keys, and the sequencers it is connected to.",
  basePath: "/api/participant-admin",
  dialect: "ledger",
  tags: {
    pruning: "What of the history is kept.",
    identity: "The participant's name and keys.",
    sequencers: "How the network is reached.",
  },
  errorBody: LedgerErrorBody,
  maxBodyBytes: LEDGER_MAX_BODY_BYTES,
  endpoints: mergeEndpoints(participantPruning, participantIdentity, participantSequencers),
} as const satisfies Api;
