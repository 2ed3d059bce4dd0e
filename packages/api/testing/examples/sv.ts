import type { svApi, WireAutomationStatus } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { health } from "./health.ts";
import { alice, amuletRules, contractId, dso, openRound, packageId } from "./samples.ts";
import { scanExamples } from "./scan.ts";

const secret = "eyJzcG9uc29yaW5nU3YiOiJzdjo6MTIyMCIsInNlY3JldCI6IkFCQyIsInBhcnR5SGludCI6bnVsbH0=";

const priceVote = {
  ...amuletRules,
  template_id: `${packageId}:Splice.DSO.AmuletPrice:AmuletPriceVote`,
  payload: { dso, sv: alice, amuletPrice: "0.25", lastUpdatedAt: "2026-03-01T00:00:00Z" },
};
const voteRequest = {
  requester: alice,
  action: { tag: "ARC_DsoRules", value: { dsoAction: { tag: "SRARC_SetConfig", value: {} } } },
  url: "https://sv.example/why",
  description: "Shorter rounds",
  expiration: { microseconds: "3600000000" },
};
const vote = {
  vote_request_contract_id: contractId("7"),
  is_accepted: false,
  reason_url: "",
  reason_description: "Not yet",
};

const automation: WireAutomationStatus = {
  automation: "collect-renewals",
  paused: false,
  done: 12,
  lost: 3,
  failed: 1,
  in_flight: 1,
  waiting: 1,
  waits: [{ task: "collect 00ab", for: "another try", reason: "CONTRACT_NOT_FOUND", details: null }],
  next_due_at: "2026-03-01T00:00:00Z",
  last_done_at: null,
  stuck: [{ task: "collect 00ab", failures: 7, reason: "CONTRACT_NOT_FOUND" }],
};

export const svExamples: Examples<typeof svApi> = {
  ...health,
  onboardValidator: {
    request: { body: { party_id: alice, secret, contact_point: "ops@alice.example" } },
    received: {
      body: {
        party_id: alice,
        secret,
        version: null,
        contact_point: "ops@alice.example",
        party_hint: null,
      },
    },
    response: undefined,
  },
  devNetOnboardValidatorPrepare: { response: secret },
  prepareValidatorOnboarding: {
    request: { body: { expires_in: 172_800, party_hint: "alice-validator-1" } },
    response: { secret },
  },
  withdrawValidatorOnboarding: {
    request: { body: { contract_id: contractId("6") } },
    response: undefined,
  },
  listOngoingValidatorOnboardings: {
    response: {
      ongoing_validator_onboardings: [{ encoded_secret: secret, contract: amuletRules, party_hint: null }],
    },
  },
  listValidatorOnboardings: {
    request: { query: { state: "used", after: 2n ** 53n, limit: 2 } },
    response: {
      validator_onboardings: [
        {
          contract_id: contractId("6"),
          fingerprint: "0a1b2c3d",
          state: "used",
          party_hint: null,
          made_at: "2026-03-01T00:00:00Z",
          expires_at: "2026-03-03T00:00:00Z",
          used_at: "2026-03-01T12:34:56.789012Z",
          used_by: alice,
        },
      ],
      next_page_token: 1_234_567,
    },
  },
  listValidatorLicenses: {
    received: { query: { after: null, limit: 1000 } },
    response: { validator_licenses: [amuletRules], next_page_token: null },
  },
  listOpenMiningRounds: {
    response: { open_mining_rounds: [openRound("4"), openRound("5")] },
  },
  listAmuletPriceVotes: {
    response: { amulet_price_votes: [priceVote] },
  },
  updateAmuletPriceVote: {
    request: { body: { amulet_price: "0.25" } },
    response: undefined,
  },
  listAutomations: { response: { automations: [automation] } },
  pauseAutomation: {
    request: { params: { automation: "collect-renewals" }, body: { paused: false } },
    response: automation,
  },
  listDsoRulesVoteRequests: {
    response: { dso_rules_vote_requests: [priceVote] },
  },
  lookupDsoRulesVoteRequest: {
    request: { params: { vote_request_contract_id: contractId("7") } },
    response: { dso_rules_vote_request: priceVote },
  },
  listVoteRequestsByTrackingCid: {
    request: { body: { vote_request_contract_ids: [contractId("7")] } },
    response: { vote_requests: [] },
  },
  listVoteRequestResults: { ...scanExamples.listVoteRequestResults },
  startSvOnboarding: { request: { body: { token: "header.claims.signature" } }, response: undefined },
  getSvOnboardingStatus: {
    request: { params: { candidate_party_id_or_name: "sv-5" } },
    response: {
      ...{ state: "requested", name: "sv-5", contract_id: contractId("7") },
      ...{ confirmed_by: [alice], required_num_confirmations: 3 },
    },
  },
  createVoteRequest: {
    request: { body: voteRequest },
    received: { body: { ...voteRequest, effectiveTime: null } },
    response: undefined,
  },
  castVote: {
    request: { body: vote },
    response: undefined,
  },
  isAuthorized: { response: undefined },
  getDsoInfo: { ...scanExamples.getDsoInfo },
};
