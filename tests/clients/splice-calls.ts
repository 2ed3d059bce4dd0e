/** The calls of the scan, scan proxy and validator clients that need no external party. */
import type {
  ScanClient,
  ScanProxyClient,
  ValidatorInternalClient,
} from "@canton-network/core-splice-client";
import { expect } from "vitest";
import type { RequestParts } from "../participant/ledger-requests.ts";
import { fresh } from "../support/fresh.ts";
import { type AnyClient, type CallFacts, type Calls, call } from "./ledger-calls.ts";

/** A request, and the beginning of the error that says that there is no such thing. */
type Asked = RequestParts & { readonly absent?: string };

function byPaths(client: unknown, asked: Readonly<Record<string, Asked>>): Calls {
  return Object.fromEntries(
    Object.entries(asked).map(([name, { absent, ...request }]) => {
      const run = () => call(client as AnyClient, name, request);
      const isAbsent = { error: expect.stringContaining(absent ?? "") };
      return [name, absent === undefined ? run : () => expect(run()).rejects.toEqual(isAbsent)];
    }),
  );
}

function ruleCalls(client: ScanClient | ScanProxyClient, url: string): Calls {
  const caches = client.constructor as typeof ScanClient;
  return {
    invalidateAmuletRulesCache: async () => caches.invalidateAmuletRulesCache(new URL(url)),
    invalidateOpenMiningRoundsCache: async () => caches.invalidateOpenMiningRoundsCache(new URL(url)),
    getAmuletRules: async () => expect(await client.getAmuletRules()).toHaveProperty("contract_id"),
    getOpenMiningRounds: async () => expect((await client.getOpenMiningRounds()).length).toBeGreaterThan(1),
    getActiveOpenMiningRound: async () => expect(await client.getActiveOpenMiningRound()).not.toBeNull(),
    getAmuletSynchronizerId: async () =>
      expect(await client.getAmuletSynchronizerId()).toMatch(/^global-domain::1220/),
    isDevNet: async () => expect(await client.isDevNet()).toBe(true),
  };
}

const LONG_AGO = "2000-01-01T00:00:00Z";
const NO_SNAPSHOT = "Failed to find ACS snapshot";
const leaders = { query: { round: "0", limit: "5" }, absent: "Data for round 0 not yet computed" };
const NO_ACCOUNTING = "Reward accounting is not enabled";

export function scanCalls(client: ScanClient, url: string, facts: CallFacts): Calls {
  const { party, owner, name, synchronizerId: domain_id, participantId } = facts;
  const provider_party_id = party;
  const migration = { migration_id: "0" };
  const longAgo = { migration_id: 0, record_time: LONG_AGO };
  return {
    ...ruleCalls(client, url),
    ...byPaths(client, {
      "get /status": {},
      "get /version": {},
      "get /v0/dso": {},
      "get /v0/scans": {},
      "get /v0/admin/validator/licenses": {},
      "get /v0/dso-sequencers": {},
      "get /v0/domains/{domain_id}/parties/{party_id}/participant-id": {
        params: { domain_id, party_id: party },
      },
      "get /v0/domains/{domain_id}/members/{member_id}/traffic-status": {
        params: { domain_id, member_id: `PAR::${participantId}` },
      },
      "post /v0/open-and-issuing-mining-rounds": {
        body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
      },
      "get /v0/state/acs/snapshot-timestamp": {
        query: { before: LONG_AGO, ...migration },
        absent: "No snapshots found",
      },
      "get /v0/state/acs/snapshot-timestamp-after": {
        query: { after: "2999-01-01T00:00:00Z", ...migration },
        absent: "No snapshots found",
      },
      "post /v0/holdings/summary": {
        body: { migration_id: 0, record_time: LONG_AGO, owner_party_ids: [party] },
        absent: "Failed to find ACS snapshot",
      },
      "get /v0/ans-entries": { query: { page_size: "5" } },
      "get /v0/ans-entries/by-party/{party}": { params: { party: owner } },
      "get /v0/ans-entries/by-name/{name}": { params: { name } },
      "get /v0/dso-party-id": {},
      "post /v0/amulet-rules": { body: {} },
      "post /v0/external-party-amulet-rules": { body: {} },
      "post /v0/ans-rules": { body: {} },
      "get /v0/featured-apps": {},
      "get /v0/featured-apps/{provider_party_id}": { params: { provider_party_id } },
      "get /v0/featured-apps/by-provider/{provider_party_id}": { params: { provider_party_id } },
      "get /v0/featured-apps/by-contract-id/{contract_id}": { params: { contract_id: facts.contractId } },
      "get /v0/transfer-preapprovals/by-party/{party}": {
        params: { party },
        absent: "No TransferPreapproval found",
      },
      "get /v0/transfer-command-counter/{party}": {
        params: { party },
        absent: "No TransferCommandCounter found",
      },
      "get /v0/transfer-command/status": { query: { sender: party, nonce: "0" }, absent: "" },
      "get /v0/splice-instance-names": {},
      "get /v0/amulet-config-for-round": {},
      "get /v0/rewards-collected": {},
      "get /v0/aggregated-rounds": { absent: "No aggregated rounds found" },
      "post /v0/round-totals": {
        body: { start_round: 0, end_round: 0 },
        absent: "No aggregated rounds found",
      },
      "post /v0/round-party-totals": {
        body: { start_round: 0, end_round: 0 },
        absent: "No aggregated rounds found",
      },
      "get /v0/round-of-latest-data": { absent: "No data has been made available yet" },
      "get /v0/top-providers-by-app-rewards": leaders,
      "get /v0/top-validators-by-validator-rewards": leaders,
      "get /v0/top-validators-by-purchased-traffic": leaders,
      "post /v0/activities": { body: { page_size: 5 } },
      "post /v0/transactions": { body: { page_size: 5 } },
      "get /v0/unclaimed-development-fund-coupons": {},
      "post /v0/admin/sv/voteresults": { body: { limit: 10 } },
      "get /v0/validators/validator-faucets": { query: { validator_ids: party } },
      "get /v0/top-validators-by-validator-faucets": { query: { limit: "5" } },
      "get /v0/sv-bft-sequencers": {},
      "get /v0/roll-forward-lsu": {},
      "get /v0/active-synchronizer-serial": {},
      "get /v0/feature-support": {},
      "get /v1/domains/{domain_id}/parties/{party_id}/participant-id": {
        params: { domain_id, party_id: party },
      },
      "get /v0/closed-rounds": {},
      "get /v0/amulet-price/votes": {},
      "get /v0/admin/sv/voterequests": {},
      "post /v0/voterequest": { body: { vote_request_contract_ids: [facts.contractId] } },
      "get /v0/voterequests/{vote_request_contract_id}": {
        params: { vote_request_contract_id: facts.contractId },
        absent: "No VoteRequest found",
      },
      "post /v2/updates": { body: { page_size: 5 } },
      "get /v2/updates/{update_id}": { params: { update_id: "ab" }, absent: "Transaction with id ab" },
      "get /v2/updates/hash/{hash}": { params: { hash: "ab" }, absent: "Transaction with hash ab" },
      "post /v1/updates": { body: { page_size: 5 } },
      "get /v1/updates/{update_id}": { params: { update_id: "ab" }, absent: "Transaction with id ab" },
      "post /v0/updates": { body: { page_size: 5 } },
      "get /v0/updates/{update_id}": { params: { update_id: "ab" }, absent: "Transaction with id ab" },
      "post /v0/events": { body: { page_size: 5 } },
      "get /v0/events/{update_id}": { params: { update_id: "ab" }, absent: "Event with id ab" },
      "post /v0/backfilling/migration-info": { body: { migration_id: 0 } },
      "get /v0/backfilling/status": {},
      "post /v1/state/acs": { body: { ...longAgo, page_size: 5 }, absent: NO_SNAPSHOT },
      "post /v0/state/acs": { body: { ...longAgo, page_size: 5 }, absent: NO_SNAPSHOT },
      "post /v1/holdings/state": {
        body: { ...longAgo, page_size: 5, owner_party_ids: [party] },
        absent: NO_SNAPSHOT,
      },
      "post /v0/holdings/state": {
        body: { ...longAgo, page_size: 5, owner_party_ids: [party] },
        absent: NO_SNAPSHOT,
      },
      "post /v0/state/acs/force": { body: {}, absent: "Forced ACS snapshots are disabled" },
      "get /v0/history/bulk/acs": {
        query: { at_or_before_record_time: LONG_AGO },
        absent: "Bulk storage or public URL is not configured",
      },
      "post /v0/history/bulk/updates": {
        body: { start_record_time: LONG_AGO, end_record_time: LONG_AGO, page_size: 5 },
        absent: "Bulk storage or public URL is not configured",
      },
      "get /v0/reward-accounting-process/rounds/earliest-available": { absent: NO_ACCOUNTING },
      "get /v0/reward-accounting-process/rounds/{round_number}/activity-totals": {
        params: { round_number: "1" },
        absent: NO_ACCOUNTING,
      },
      "get /v0/reward-accounting-process/rounds/{round_number}/root-hash": {
        params: { round_number: "1" },
        absent: NO_ACCOUNTING,
      },
      "get /v0/reward-accounting-process/rounds/{round_number}/batches/{batch_hash}": {
        params: { round_number: "1", batch_hash: "ab" },
        absent: NO_ACCOUNTING,
      },
    }),
  };
}

export function proxyCalls(client: ScanProxyClient, url: string, { party, owner, name }: CallFacts): Calls {
  return {
    ...ruleCalls(client, url),
    ...byPaths(client, {
      "get /v0/scan-proxy/dso-party-id": {},
      "get /v0/scan-proxy/dso": {},
      "get /v0/scan-proxy/featured-apps/{provider_party_id}": { params: { provider_party_id: party } },
      "get /v0/scan-proxy/open-and-issuing-mining-rounds": {},
      "get /v0/scan-proxy/amulet-rules": {},
      "get /v0/scan-proxy/ans-entries/by-party/{party}": { params: { party: owner } },
      "get /v0/scan-proxy/ans-entries": { query: { page_size: "5" } },
      "get /v0/scan-proxy/ans-entries/by-name/{name}": { params: { name } },
      "post /v0/scan-proxy/ans-rules": { body: {} },
      "get /v0/scan-proxy/transfer-preapprovals/by-party/{party}": {
        params: { party },
        absent: "No TransferPreapproval found",
      },
      "get /v0/scan-proxy/transfer-command-counter/{party}": {
        params: { party },
        absent: "No TransferCommandCounter found",
      },
      "get /v0/scan-proxy/transfer-command/status": { query: { sender: party, nonce: "0" }, absent: "" },
      "post /v0/scan-proxy/holdings/summary": {
        body: { migration_id: 0, record_time: LONG_AGO, owner_party_ids: [party] },
        absent: "Summary not found",
      },
      "get /v0/scan-proxy/unclaimed-development-fund-coupons": {},
    }),
  };
}

export function validatorCalls(client: ValidatorInternalClient, { party }: CallFacts): Calls {
  const user = fresh("onboarded");
  return byPaths(client, {
    "get /v0/validator-user": {},
    "post /v0/register": { body: {} },
    "get /v0/admin/users": {},
    "post /v0/admin/users": { body: { name: user } },
    "get /v0/admin/participant/identities": {},
    "get /v0/admin/participant/global-domain-connection-config": {},
    "get /v0/admin/domain/data-snapshot": { query: { timestamp: new Date().toISOString() } },
    "get /v0/admin/transfer-preapprovals": {},
    "get /v0/admin/transfer-preapprovals/by-party/{receiver-party}": {
      params: { "receiver-party": party },
      absent: "",
    },
  });
}
