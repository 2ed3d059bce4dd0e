import type { OwnedEntry, validatorApi, WireAutomationStatus } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { health } from "./health.ts";
import { proxiedExamples } from "./proxied.ts";
import { registryExamples } from "./registry.ts";
import {
  alice,
  amuletRules,
  ansRules,
  contractId,
  dso,
  openRound,
  subscriptionContract,
  synchronizer,
} from "./samples.ts";
import { scanExamples } from "./scan.ts";
import { scanExtExamples } from "./scan-ext.ts";
import { tokenExamples } from "./tokens.ts";
import { transferExamples } from "./transfers.ts";
import { validatorAdminExamples } from "./validator-admin.ts";
import { walletContractExamples } from "./wallet-contracts.ts";

const request = subscriptionContract("SubscriptionRequest", "a");
const byContract = { params: { contract_id: contractId("a") } };
const bySubscription = { params: { subscription_id: contractId("b") } };

/** The operations that the scan proxy repeats as they are. */
const forwarded = {
  getDsoInfo: scanExamples.getDsoInfo,
  lookupFeaturedAppRight: scanExamples.lookupFeaturedAppRight,
  lookupTransferPreapprovalByParty: scanExamples.lookupTransferPreapprovalByParty,
  lookupTransferCommandCounterByParty: scanExamples.lookupTransferCommandCounterByParty,
  lookupTransferCommandStatus: scanExamples.lookupTransferCommandStatus,
  listUnclaimedDevelopmentFundCoupons: scanExamples.listUnclaimedDevelopmentFundCoupons,
  getHoldingsSummaryAt: scanExamples.getHoldingsSummaryAt,
  ...scanExtExamples,
  ...registryExamples,
};

const entry: OwnedEntry = {
  contractId: `ContractId(${contractId("3")})`,
  name: "alice.unverified.cns",
  amount: "1.0000000000",
  unit: "USDUNIT",
  expiresAt: "1741744588974",
  paymentInterval: "7776000000000",
  paymentDuration: "2592000000000",
  url: "https://alice.example/",
  description: "",
  state: "subscribed",
  autoRenewal: true,
  nextPaymentFrom: "1739152588974",
  nextPaymentDueAt: "1741744588974",
};

const automation: WireAutomationStatus = {
  automation: "collect-rewards",
  paused: false,
  done: 3,
  lost: 0,
  failed: 1,
  in_flight: 0,
  waiting: 1,
  waits: [
    {
      ...{ task: alice, for: "coin", reason: "Not enough coin: 190.0 more is needed." },
      details: { name: "alice.unverified.cns", coin_needed: "200.0", coin_available: "10.0" },
    },
  ],
  next_due_at: "2024-12-12T09:06:17.149158Z",
  last_done_at: null,
  stuck: [],
};

export const validatorExamples: Examples<typeof validatorApi> = {
  ...health,
  ...walletContractExamples,
  ...validatorAdminExamples,
  featureSupport: { response: { token_standard: true, transfer_preapproval_description: true } },
  ...transferExamples,
  ...tokenExamples,
  ...proxiedExamples(forwarded),
  createAnsEntry: {
    request: { body: { name: "alice", url: "https://alice.example/", description: "" } },
    response: {
      entryContextCid: contractId("9"),
      subscriptionRequestCid: contractId("a"),
      name: "alice.unverified.cns",
      url: "https://alice.example/",
      description: "",
    },
  },
  takeUpAnsEntry: {
    request: { body: { name: "alice.unverified.cns" } },
    response: entry,
  },
  setPrimaryName: {
    request: { body: { name: "alice" } },
    response: { ...entry, primary: true },
  },
  removePrimaryName: { response: undefined },
  listNameRequests: {
    request: { query: { page_size: 20, begin_after_id: contractId("b") } },
    response: {
      requests: [
        {
          id: contractId("a"),
          purpose: "purchase",
          name: "alice.unverified.cns",
          url: "https://alice.example/",
          description: "",
          requestedAt: "2026-01-01T00:00:00.000000Z",
          state: "given_back",
          reason: "lost_race",
          explanation: "The payment was given back. Somebody else held the name, or had paid for it earlier.",
          endedAt: "2026-01-01T00:00:02.000000Z",
          payment: { amount: "200.0000000000", at: "2026-01-01T00:00:01.000000Z", updateId: "1220ab" },
          refund: { amount: "200.0000000000", at: "2026-01-01T00:00:02.000000Z", updateId: "1220ac" },
        },
      ],
    },
  },
  listAnsEntries: { response: { entries: [entry] } },
  getValidatorUserInfo: {
    response: { party_id: alice, user_name: "ledger-api-user", featured: false },
  },
  getShownNames: scanExamples.getSpliceInstanceNames,
  listAutomations: { response: { automations: [automation] } },
  pauseAutomation: {
    request: { params: { automation: "collect-rewards" }, body: { paused: false } },
    response: automation,
  },
  userStatus: {
    response: {
      party_id: alice,
      user_onboarded: true,
      user_wallet_installed: true,
      has_featured_app_right: false,
    },
  },
  tap: {
    request: { body: { amount: "10.0" } },
    received: { body: { amount: "10.0", command_id: null } },
    response: { contract_id: contractId("6") },
  },
  getBalance: {
    response: {
      round: 4,
      effective_unlocked_qty: "2000.0000000000",
      effective_locked_qty: "0.0000000000",
      total_holding_fees: "0.0000000000",
    },
  },
  listTransactions: {
    request: { body: { page_size: 10 } },
    received: { body: { page_size: 10, begin_after_id: null } },
    response: {
      items: [
        {
          transaction_type: "transfer",
          transaction_subtype: {
            template_id: `${"3".repeat(64)}:Splice.Ans:AnsRules`,
            choice: "AnsRules_CollectInitialEntryPayment",
            amulet_operation: null,
            interface_id: null,
          },
          event_id: `#1220${"a".repeat(64)}:7`,
          date: "2024-12-12T09:06:17.149158Z",
          sender: { party: alice, amount: "-200.0000000000" },
          receivers: [{ party: dso, amount: "0.0000000000" }],
          holding_fees: "0.0000000000",
          app_rewards_used: "0.0000000000",
          validator_rewards_used: "0.0000000000",
          sv_rewards_used: "0.0000000000",
          development_fund_coupons_used: "0.0000000000",
          transfer_instruction_receiver: null,
          transfer_instruction_amount: null,
          transfer_instruction_cid: null,
          description: null,
          name: "alice.unverified.cns",
        },
        {
          transaction_type: "balance_change",
          transaction_subtype: {
            template_id: `${"2".repeat(64)}:Splice.Wallet.Subscriptions:SubscriptionInitialPayment`,
            choice: "SubscriptionInitialPayment_Reject",
            amulet_operation: null,
            interface_id: null,
          },
          event_id: `#1220${"b".repeat(64)}:3`,
          date: "2024-12-12T09:05:17Z",
          receivers: [{ party: alice, amount: "200.0000000000" }],
          transfer_instruction_cid: null,
          name: "bob.unverified.cns",
          refund_reason: "lost_race",
        },
      ],
    },
  },
  listSubscriptionRequests: {
    response: { subscription_requests: [request] },
  },
  getSubscriptionRequest: {
    request: byContract,
    response: request,
  },
  acceptSubscriptionRequest: {
    request: byContract,
    response: { initial_payment_contract_id: contractId("c") },
  },
  rejectSubscriptionRequest: {
    request: byContract,
    response: undefined,
  },
  listSubscriptionInitialPayments: {
    response: { initial_payments: [subscriptionContract("SubscriptionInitialPayment", "c")] },
  },
  cancelSubscriptionRequest: {
    request: byContract,
    response: undefined,
  },
  listSubscriptions: {
    response: {
      subscriptions: [
        {
          subscription: subscriptionContract("Subscription", "b"),
          state: { idle: subscriptionContract("SubscriptionIdleState", "d") },
          auto_renewal: false,
        },
        {
          subscription: subscriptionContract("Subscription", "e"),
          state: { payment: subscriptionContract("SubscriptionPayment", "f") },
          auto_renewal: true,
        },
      ],
    },
  },
  setAutoRenewal: {
    request: { ...bySubscription, body: { enabled: false } },
    response: { enabled: false },
  },
  paySubscription: {
    request: bySubscription,
    response: { payment_contract_id: contractId("f") },
  },
  scanProxyListAnsEntries: { ...scanExamples.listAnsEntries },
  scanProxyLookupAnsEntryByName: { ...scanExamples.lookupAnsEntryByName },
  scanProxyLookupAnsEntryByParty: { ...scanExamples.lookupAnsEntryByParty },
  scanProxyGetAnsRules: {
    request: { body: { cached_ans_rules_contract_id: ansRules.contract_id } },
    received: {
      body: { cached_ans_rules_contract_id: ansRules.contract_id, cached_ans_rules_domain_id: null },
    },
    response: { ans_rules_update: { contract: ansRules, domain_id: synchronizer } },
  },
  scanProxyGetDsoPartyId: { response: { dso_party_id: dso } },
  scanProxyGetAmuletRules: {
    response: { amulet_rules: { contract: amuletRules, domain_id: synchronizer } },
  },
  scanProxyGetOpenAndIssuingMiningRounds: {
    response: {
      open_mining_rounds: [
        { contract: openRound("4"), domain_id: synchronizer },
        { contract: openRound("5"), domain_id: synchronizer },
      ],
      issuing_mining_rounds: [],
    },
  },
};
