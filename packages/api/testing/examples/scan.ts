import type { scanApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { health } from "./health.ts";
import {
  alice,
  amuletRules,
  ansRules,
  contractId,
  dso,
  openRound,
  packageId,
  synchronizer,
} from "./samples.ts";
import { scanCoinActivities } from "./scan-coin-activities.ts";
import { listNameChanges, scanExtExamples } from "./scan-ext.ts";
import { scanNotOffered } from "./scan-not-offered.ts";
import { scanRoundTotals } from "./scan-round-totals.ts";
import { scanSynchronizer } from "./scan-synchronizer.ts";
import { scanUpdates } from "./scan-updates.ts";

const entry = {
  contract_id: contractId("3"),
  user: alice,
  name: "alice.unverified.cns",
  url: "https://alice.example/",
  description: "Alice's shop",
  expires_at: "2025-03-12T01:56:28.974046Z",
};

const dsoEntry = {
  contract_id: null,
  user: dso,
  name: "dso.cns",
  url: "",
  description: "",
  expires_at: null,
};

const state = { contract: amuletRules, domain_id: synchronizer };

const right = {
  template_id: `${packageId}:Splice.Amulet:FeaturedAppRight`,
  contract_id: contractId("8"),
  payload: { dso, provider: alice },
  created_event_blob: "CgMyLjE=",
  created_at: "2025-01-23T12:48:21Z",
};

/** A vote that was accepted. */
const voteResult = {
  request: { dso, requester: "sv-1" },
  completedAt: "2025-01-23T12:48:21Z",
  outcome: { tag: "VRO_Accepted", value: { effectiveAt: "2025-01-23T12:48:21Z" } },
};

export const scanExamples: Examples<typeof scanApi> = {
  ...health,
  ...scanExtExamples,
  listNameChanges,
  ...scanSynchronizer,
  ...scanUpdates,
  ...scanNotOffered,
  listVoteRequestResults: {
    request: { body: { actionName: "SRARC_OffboardSv", accepted: true, limit: 10 } },
    received: {
      body: {
        ...{ actionName: "SRARC_OffboardSv", accepted: true, limit: 10 },
        ...{ requester: null, effectiveFrom: null, effectiveTo: null },
      },
    },
    response: { dso_rules_vote_results: [voteResult] },
  },
  listAmuletPriceVotes: { response: { amulet_price_votes: [right] } },
  listDsoRulesVoteRequests: { response: { dso_rules_vote_requests: [right] } },
  lookupDsoRulesVoteRequest: {
    request: { params: { vote_request_contract_id: right.contract_id } },
    response: { dso_rules_vote_request: right },
  },
  listVoteRequestsByTrackingCid: {
    request: { body: { vote_request_contract_ids: [right.contract_id] } },
    response: { vote_requests: [right] },
  },
  listAnsEntries: {
    request: { query: { name_prefix: "al & +é", page_size: 2 } },
    response: { entries: [entry, dsoEntry] },
  },
  lookupAnsEntryByName: {
    request: { params: { name: "alice.unverified.cns" } },
    response: { entry },
  },
  lookupAnsEntryByParty: {
    request: { params: { party: dso } },
    response: { entry: dsoEntry },
  },
  getAnsRules: {
    received: { body: { cached_ans_rules_contract_id: null, cached_ans_rules_domain_id: null } },
    response: { ans_rules_update: { contract: ansRules, domain_id: synchronizer } },
  },
  getDsoInfo: {
    response: {
      sv_user: "sv",
      sv_party_id: alice,
      dso_party_id: dso,
      voting_threshold: 3,
      latest_mining_round: { contract: openRound("4"), domain_id: synchronizer },
      amulet_rules: state,
      dso_rules: state,
      sv_node_states: [state],
      initial_round: "0",
    },
  },
  getDsoPartyId: { response: { dso_party_id: dso } },
  listDsoScans: {
    response: {
      scans: [
        {
          domainId: synchronizer,
          scans: [{ publicUrl: "http://localhost:5012", svName: "Digital-Asset-1" }],
        },
      ],
    },
  },
  listDsoSequencers: {
    response: {
      domainSequencers: [
        {
          domainId: synchronizer,
          sequencers: [
            {
              migrationId: -1,
              synchronizerSerial: 7,
              id: `PAR::${alice}`,
              url: "https://sequencer.example.com",
              svName: "Digital-Asset-1",
              availableAfter: "2025-03-12T01:56:28.974046Z",
            },
          ],
        },
      ],
    },
  },
  getSpliceInstanceNames: {
    response: {
      network_name: "Splice",
      network_favicon_url: "https://example.com/favicon.png",
      amulet_name: "Amulet",
      amulet_name_acronym: "AMT",
      name_service_name: "Amulet Name Service",
      name_service_name_acronym: "CNS",
    },
  },
  listValidatorLicenses: {
    request: { query: { after: 2n ** 50n, limit: 2 } },
    response: { validator_licenses: [amuletRules], next_page_token: 2 ** 49 },
  },
  getMemberTrafficStatus: {
    request: { params: { domain_id: synchronizer, member_id: `PAR::${alice}` } },
    response: {
      traffic_status: {
        actual: { total_consumed: 12_345, total_limit: 1_200_000 },
        target: { total_purchased: 1_200_000 },
      },
    },
  },
  getPartyToParticipant: {
    request: { params: { domain_id: synchronizer, party_id: alice } },
    response: { participant_id: `PAR::${alice}` },
  },
  getPartyToParticipantV1: {
    request: { params: { domain_id: synchronizer, party_id: alice } },
    response: { participant_ids: [`PAR::${alice}`, `PAR::${dso}`] },
  },
  getClosedRounds: { response: { rounds: [openRound("3")] } },
  getOpenAndIssuingMiningRounds: {
    request: {
      body: {
        cached_open_mining_round_contract_ids: [contractId("4")],
        cached_issuing_round_contract_ids: [],
      },
    },
    response: {
      time_to_live_in_microseconds: 600_000_000,
      open_mining_rounds: {
        [contractId("4")]: { contract: null, domain_id: synchronizer },
        [contractId("5")]: { contract: openRound("5"), domain_id: synchronizer },
      },
      issuing_mining_rounds: {},
    },
  },
  getAmuletRules: {
    request: { body: { cached_amulet_rules_contract_id: contractId("2") } },
    received: {
      body: { cached_amulet_rules_contract_id: contractId("2"), cached_amulet_rules_domain_id: null },
    },
    response: { amulet_rules_update: { contract: null, domain_id: synchronizer } },
  },
  getRewardsCollected: {
    request: { query: { round: 2n ** 60n + 1n } },
    response: { amount: "0.0000000000" },
  },
  ...scanRoundTotals,
  ...scanCoinActivities,
  getAmuletConfigForRound: {
    received: { query: { round: null } },
    response: {
      amulet_create_fee: "0.0000000000",
      holding_fee: "0.0000190259",
      lock_holder_fee: "0.0000000000",
      transfer_fee: {
        initial: "0.0000000000",
        steps: [{ amount: "20000.0000000000", rate: "0.0010000000" }],
      },
    },
  },
  getExternalPartyAmuletRules: {
    request: { body: { cached_external_party_amulet_rules_domain_id: synchronizer } },
    received: {
      body: {
        cached_external_party_amulet_rules_contract_id: null,
        cached_external_party_amulet_rules_domain_id: synchronizer,
      },
    },
    response: { external_party_amulet_rules_update: state },
  },
  listUnclaimedDevelopmentFundCoupons: { response: { "unclaimed-development-fund-coupons": [state] } },
  listFeaturedAppRights: { response: { featured_apps: [right] } },
  lookupFeaturedAppRight: {
    request: { params: { provider_party_id: alice } },
    response: { featured_app_right: null },
  },
  listFeaturedAppRightsByProvider: {
    request: { params: { provider_party_id: alice } },
    response: { featured_apps: [right, right] },
  },
  lookupFeaturedAppRightByContractId: {
    request: { params: { contract_id: right.contract_id } },
    response: { featured_app_right: right },
  },
  lookupTransferPreapprovalByParty: {
    request: { params: { party: alice } },
    response: { transfer_preapproval: state },
  },
  lookupTransferCommandCounterByParty: {
    request: { params: { party: alice } },
    response: { transfer_command_counter: state },
  },
  lookupTransferCommandStatus: {
    request: { query: { sender: alice, nonce: 2n ** 60n + 1n } },
    response: {
      transfer_commands_by_contract_id: {
        [contractId("7")]: {
          contract: right,
          status: { status: "failed", failure_kind: "expired", reason: "The TransferCommand has expired" },
        },
        [contractId("8")]: {
          contract: right,
          status: { status: "created", failure_kind: null, reason: null },
        },
      },
    },
  },
  getDateOfMostRecentSnapshotBefore: {
    request: { query: { before: "2025-03-12T01:56:28Z", migration_id: 0n } },
    response: { record_time: "2025-03-12T01:50:00Z" },
  },
  getDateOfFirstSnapshotAfter: {
    request: { query: { after: "2025-03-12T01:56:28Z", migration_id: 0n } },
    response: { record_time: "2025-03-12T02:00:00Z" },
  },
  getHoldingsSummaryAt: {
    request: {
      body: { migration_id: 0, record_time: "2025-03-12T01:50:00Z", owner_party_ids: [alice, dso] },
    },
    received: {
      body: {
        migration_id: 0,
        record_time: "2025-03-12T01:50:00Z",
        record_time_match: null,
        owner_party_ids: [alice, dso],
        as_of_round: null,
      },
    },
    response: {
      record_time: "2025-03-12T01:50:00Z",
      migration_id: 0,
      computed_as_of_round: 4,
      summaries: [
        {
          party_id: alice,
          total_unlocked_coin: "10.0000000000",
          total_locked_coin: "2.5000000000",
          total_coin_holdings: "12.5000000000",
          accumulated_holding_fees_unlocked: "0.0000380518",
          accumulated_holding_fees_locked: "0.0000000000",
          accumulated_holding_fees_total: "0.0000380518",
          total_available_coin: "9.9999619482",
        },
      ],
    },
  },
};
