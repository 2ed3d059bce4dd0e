import type { validatorApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice, contractId, dso, packageId, synchronizer } from "./samples.ts";

const identities = {
  id: `PAR::${alice}`,
  keys: [
    { type: "signing" as const, keyId: `1220${"ab".repeat(32)}`, name: "namespace" },
    { type: "signing" as const, keyId: `1220${"0d".repeat(32)}`, name: "signing" },
  ],
  authorizedStoreSnapshot: "e30=",
  version: "0.6.3",
};

const preapproval = {
  contract: {
    template_id: `${packageId}:Splice.AmuletRules:TransferPreapproval`,
    contract_id: contractId("7"),
    payload: { dso, receiver: alice, provider: alice, expiresAt: "2025-06-12T01:56:28.974Z" },
    created_event_blob: "CgMyLjE=",
    created_at: "2025-03-12T01:56:28.974Z",
  },
  domain_id: synchronizer,
};
const byReceiver = { params: { "receiver-party": alice } };

type OfOperator =
  | "register"
  | "onboardUser"
  | "listUsers"
  | "offboardUser"
  | "dumpParticipantIdentities"
  | "getDecentralizedSynchronizerConnectionConfig"
  | "getValidatorDomainDataSnapshot"
  | "lookupTransferPreapprovalByParty"
  | "cancelTransferPreapprovalByParty"
  | "listTransferPreapprovals";

/** Users, the participant and preapprovals. */
export const validatorAdminExamples: Pick<Examples<typeof validatorApi>, OfOperator> = {
  register: { response: { party_id: alice } },
  onboardUser: {
    request: { body: { name: "alice", party_id: alice } },
    received: { body: { name: "alice", party_id: alice, createPartyIfMissing: null } },
    response: { party_id: alice },
  },
  listUsers: { response: { usernames: ["alice", "auth0|1234"] } },
  offboardUser: { request: { query: { username: "alice" } }, response: undefined },
  dumpParticipantIdentities: { response: identities },
  getDecentralizedSynchronizerConnectionConfig: {
    response: {
      sequencer_connections: {
        connections: [
          {
            sequencer_alias: "https://sequencer.sv-1.example.com",
            endpoints: ["sequencer.sv-1.example.com:443"],
            transport_security: true,
          },
        ],
        sequencer_trust_threshold: 1,
        sequencer_liveness_margin: 0,
        submission_request_amplification: { factor: 1, patience_seconds: 0.3 },
      },
    },
  },
  getValidatorDomainDataSnapshot: {
    request: { query: { timestamp: "2025-03-12T01:56:28.974Z" } },
    received: { query: { timestamp: "2025-03-12T01:56:28.974Z", migration_id: null, force: null } },
    response: {
      data_snapshot: {
        participant: identities,
        participant_users: {
          identityProviders: [
            {
              id: "partner",
              isDeactivated: false,
              jwksUrl: "https://partner.example.com/keys",
              issuer: "https://partner.example.com/",
              audience: "",
            },
          ],
          users: [
            {
              id: "alice",
              primaryParty: alice,
              rights: [
                { kind: "canActAs", party: alice },
                { kind: "participantAdmin", party: null },
              ],
              isDeactivated: false,
              annotations: [{ key: "team", value: "names" }],
              identityProviderId: "",
            },
          ],
        },
        acs_snapshot: "H4sIAAAAAAAAAwMAAAAAAAAAAAA=",
        acs_timestamp: "2025-03-12T01:56:28.974Z",
        dars: [],
        migration_id: 1,
        domain_id: synchronizer,
        created_at: "2025-03-12T01:57:00.000Z",
        synchronizer_was_paused: false,
        separate_payload_files: false,
        acs_format: "ledger_api",
      },
      migration_id: 1,
    },
  },
  lookupTransferPreapprovalByParty: {
    request: byReceiver,
    response: { transfer_preapproval: preapproval },
  },
  cancelTransferPreapprovalByParty: { request: byReceiver, response: undefined },
  listTransferPreapprovals: { response: { contracts: [preapproval] } },
};
