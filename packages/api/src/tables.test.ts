import { describe, expect, test } from "vitest";
import { apis } from "../testing/apis.ts";
import { authRules } from "./auth-rule.ts";
import { defineEndpoints, type Endpoint, empty, mergeEndpoints } from "./endpoint.ts";
import {
  controlApi,
  ledgerApi,
  listPathParameters,
  localNetworkApi,
  participantAdminApi,
  registryApi,
  scanApi,
  svApi,
  validatorApi,
} from "./index.ts";

const everyEndpoint = apis.flatMap(({ api }) => Object.values(api.endpoints));

function listOperations(endpoints: Readonly<Record<string, { method: string; path: string }>>): string[] {
  return Object.values(endpoints)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();
}

function lines(text: string): string[] {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .sort();
}

describe("what is served", () => {
  const EXT = `
        POST /ext/v1/names/lookup
        GET /ext/v1/names
        GET /ext/v1/names/{name}/availability
        GET /ext/v1/names/{name}/history
        GET /ext/v1/statistics/names
        GET /ext/v1/parties/{party}/names`;

  test("scan has exactly these operations", () => {
    expect(listOperations(scanApi.endpoints)).toEqual(
      lines(`
        GET /v0/dso
        GET /ext/v1/statistics/lookups
        GET /v0/validators/validator-faucets
        GET /v0/scans
        GET /v0/admin/validator/licenses
        GET /v0/dso-sequencers
        GET /v0/sv-bft-sequencers
        GET /v0/roll-forward-lsu
        GET /v0/active-synchronizer-serial
        GET /v0/domains/{domain_id}/parties/{party_id}/participant-id
        GET /v1/domains/{domain_id}/parties/{party_id}/participant-id
        GET /v0/domains/{domain_id}/members/{member_id}/traffic-status
        GET /v0/closed-rounds
        POST /v0/open-and-issuing-mining-rounds
        POST /v2/updates
        GET /v2/updates/{update_id}
        POST /v1/updates
        GET /v1/updates/{update_id}
        GET /v2/updates/hash/{hash}
        GET /v0/state/acs/snapshot-timestamp
        GET /v0/state/acs/snapshot-timestamp-after
        POST /v0/state/acs
        POST /v1/state/acs
        POST /v0/state/acs/force
        POST /v0/holdings/state
        POST /v1/holdings/state
        POST /v0/holdings/summary
        GET /v0/ans-entries
        GET /v0/ans-entries/by-party/{party}
        GET /v0/ans-entries/by-name/{name}
        GET /v0/dso-party-id
        POST /v0/amulet-rules
        POST /v0/external-party-amulet-rules
        POST /v0/ans-rules
        GET /v0/featured-apps
        GET /v0/featured-apps/{provider_party_id}
        GET /v0/featured-apps/by-provider/{provider_party_id}
        GET /v0/featured-apps/by-contract-id/{contract_id}
        GET /v0/top-validators-by-validator-faucets
        GET /v0/transfer-preapprovals/by-party/{party}
        GET /v0/transfer-command-counter/{party}
        GET /v0/transfer-command/status
        GET /v0/migrations/schedule
        GET /v0/synchronizer-identities/{domain_id_prefix}
        GET /v0/synchronizer-bootstrapping-transactions/{domain_id_prefix}
        GET /v0/splice-instance-names
        GET /v0/amulet-price/votes
        POST /v0/voterequest
        GET /v0/voterequests/{vote_request_contract_id}
        GET /v0/admin/sv/voterequests
        POST /v0/admin/sv/voteresults
        ${EXT}
        GET /ext/v1/names/changes
        POST /v0/backfilling/migration-info
        POST /v0/backfilling/updates-before
        GET /v0/backfilling/status
        GET /v0/acs/{party}
        GET /v0/aggregated-rounds
        POST /v0/round-totals
        POST /v0/round-party-totals
        GET /v0/amulet-config-for-round
        GET /v0/round-of-latest-data
        GET /v0/rewards-collected
        GET /v0/top-providers-by-app-rewards
        GET /v0/top-validators-by-validator-rewards
        GET /v0/top-validators-by-purchased-traffic
        POST /v0/activities
        POST /v0/transactions
        POST /v0/updates
        GET /v0/updates/{update_id}
        GET /v0/feature-support
        POST /v0/backfilling/import-updates
        POST /v0/events
        GET /v0/events/{update_id}
        GET /v0/unclaimed-development-fund-coupons
        GET /v0/reward-accounting-process/rounds/earliest-available
        GET /v0/reward-accounting-process/rounds/{round_number}/activity-totals
        GET /v0/reward-accounting-process/rounds/{round_number}/root-hash
        GET /v0/reward-accounting-process/rounds/{round_number}/batches/{batch_hash}
        GET /v0/history/bulk/acs
        POST /v0/history/bulk/updates
        GET /v0/history/bulk/download/{object_key}
        GET /version
        GET /readyz
        GET /livez
        GET /status`),
    );
  });

  const REGISTRY = `
        GET /registry/metadata/v1/info
        GET /registry/metadata/v1/instruments
        GET /registry/metadata/v1/instruments/{instrumentId}
        POST /registry/transfer-instruction/v1/transfer-factory
        POST /registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/accept
        POST /registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/reject
        POST /registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/withdraw
        POST /registry/allocation-instruction/v1/allocation-factory
        POST /registry/allocations/v1/{allocationId}/choice-contexts/execute-transfer
        POST /registry/allocations/v1/{allocationId}/choice-contexts/withdraw
        POST /registry/allocations/v1/{allocationId}/choice-contexts/cancel`;

  test("the registry has exactly these operations", () => {
    expect(listOperations(registryApi.endpoints)).toEqual(lines(REGISTRY));
  });

  test("the SV app has exactly these operations", () => {
    expect(listOperations(svApi.endpoints)).toEqual(
      lines(`
        POST /v0/onboard/validator
        POST /v0/devnet/onboard/validator/prepare
        POST /v0/onboard/sv/start
        GET /v0/onboard/sv/status/{candidate_party_id_or_name}
        POST /v0/admin/validator/onboarding/prepare
        POST /v0/admin/validator/onboarding/withdraw
        GET /v0/admin/validator/onboarding/ongoing
        GET /v0/admin/validator/onboarding/all
        GET /v0/admin/validator/licenses
        GET /v0/admin/authorization
        GET /v0/admin/automations
        POST /ext/v1/admin/automations/{automation}
        GET /v0/admin/sv/open-mining-rounds
        GET /v0/admin/sv/amulet-price/votes
        PUT /v0/admin/sv/amulet-price/vote
        GET /v0/admin/sv/voterequests
        POST /v0/admin/sv/voteresults
        GET /v0/admin/sv/voterequests/{vote_request_contract_id}
        POST /v0/admin/sv/voterequest
        POST /v0/admin/sv/voterequest/create
        POST /v0/admin/sv/votes
        GET /v0/dso
        GET /version
        GET /readyz
        GET /livez
        GET /status`),
    );
  });

  test("the validator has exactly these operations", () => {
    expect(listOperations(validatorApi.endpoints)).toEqual(
      lines(`
        POST /v0/entry/create
        GET /v0/entry/all
        POST /ext/v1/entry/take-up
        POST /ext/v1/entry/set-primary
        POST /ext/v1/entry/remove-primary
        GET /ext/v1/entry/requests
        GET /v0/validator-user
        GET /ext/v1/splice-instance-names
        GET /v0/admin/automations
        POST /ext/v1/admin/automations/{automation}
        POST /v0/register
        POST /v0/admin/users
        GET /v0/admin/users
        POST /v0/admin/users/offboard
        GET /v0/admin/participant/identities
        GET /v0/admin/participant/global-domain-connection-config
        GET /v0/admin/domain/data-snapshot
        GET /v0/admin/transfer-preapprovals
        GET /v0/admin/transfer-preapprovals/by-party/{receiver-party}
        DELETE /v0/admin/transfer-preapprovals/by-party/{receiver-party}
        GET /v0/feature-support
        GET /v0/wallet/user-status
        POST /v0/wallet/tap
        POST /v0/wallet/transactions
        GET /v0/wallet/balance
        GET /v0/wallet/amulets
        GET /v0/wallet/app-payment-requests
        GET /v0/wallet/app-payment-requests/{contract_id}
        POST /v0/wallet/app-payment-requests/{contract_id}/accept
        POST /v0/wallet/app-payment-requests/{contract_id}/reject
        GET /v0/wallet/accepted-app-payments
        GET /v0/wallet/app-reward-coupons
        GET /v0/wallet/validator-reward-coupons
        GET /v0/wallet/validator-faucet-coupons
        GET /v0/wallet/validator-liveness-activity-records
        GET /v0/wallet/sv-reward-coupons
        POST /v0/wallet/self-grant-feature-app-right
        DELETE /v0/wallet/cancel-featured-app-rights
        POST /v0/wallet/development-fund-coupons/allocate
        GET /v0/wallet/development-fund-coupons
        GET /v0/wallet/development-fund-coupons/history
        POST /v0/wallet/development-fund-coupons/{contract_id}/withdraw
        GET /v0/wallet/minting-delegation-proposals
        POST /v0/wallet/minting-delegation-proposals/{contract_id}/accept
        POST /v0/wallet/minting-delegation-proposals/{contract_id}/reject
        GET /v0/wallet/minting-delegations
        POST /v0/wallet/minting-delegations/{contract_id}/reject
        GET /v0/wallet/subscription-requests
        GET /v0/wallet/subscription-requests/{contract_id}
        POST /v0/wallet/subscription-requests/{contract_id}/accept
        POST /v0/wallet/subscription-requests/{contract_id}/reject
        DELETE /v0/wallet/subscription-requests/{contract_id}
        GET /v0/wallet/subscription-initial-payments
        GET /v0/wallet/subscriptions
        POST /ext/v1/wallet/subscriptions/{subscription_id}/auto-renewal
        POST /ext/v1/wallet/subscriptions/{subscription_id}/pay
        POST /v0/wallet/transfer-offers
        GET /v0/wallet/transfer-offers
        POST /v0/wallet/transfer-offers/{tracking_id}/status
        POST /v0/wallet/transfer-offers/{contract_id}/accept
        POST /v0/wallet/transfer-offers/{contract_id}/reject
        POST /v0/wallet/transfer-offers/{contract_id}/withdraw
        GET /v0/wallet/accepted-transfer-offers
        POST /v0/wallet/buy-traffic-requests
        POST /v0/wallet/buy-traffic-requests/{tracking_id}/status
        POST /v0/wallet/transfer-preapproval
        POST /v0/wallet/transfer-preapproval/send
        POST /v0/wallet/token-standard/transfers
        GET /v0/wallet/token-standard/transfers
        POST /v0/wallet/token-standard/transfers/{contract_id}/accept
        POST /v0/wallet/token-standard/transfers/{contract_id}/reject
        POST /v0/wallet/token-standard/transfers/{contract_id}/withdraw
        GET /v0/wallet/token-standard/allocation-requests
        POST /v0/wallet/token-standard/allocation-requests/{contract_id}/reject
        GET /v0/allocations
        POST /v0/allocations
        POST /v0/allocations/{contract_id}/withdraw
        GET /v0/scan-proxy/ans-entries
        GET /v0/scan-proxy/ans-entries/by-name/{name}
        GET /v0/scan-proxy/ans-entries/by-party/{party}
        POST /v0/scan-proxy/ans-rules
        GET /v0/scan-proxy/dso-party-id
        GET /v0/scan-proxy/amulet-rules
        GET /v0/scan-proxy/open-and-issuing-mining-rounds
        GET /v0/scan-proxy/dso
        GET /v0/scan-proxy/featured-apps/{provider_party_id}
        GET /v0/scan-proxy/transfer-preapprovals/by-party/{party}
        GET /v0/scan-proxy/transfer-command-counter/{party}
        GET /v0/scan-proxy/transfer-command/status
        POST /v0/scan-proxy/holdings/summary
        GET /v0/scan-proxy/unclaimed-development-fund-coupons
        ${EXT.replaceAll("/ext", "/v0/scan-proxy/ext")}
        ${REGISTRY.replaceAll("/registry", "/v0/scan-proxy/registry")}
        GET /version
        GET /readyz
        GET /livez
        GET /status`),
    );
  });

  test("the ledger API has exactly these operations", () => {
    expect(listOperations(ledgerApi.endpoints)).toEqual(
      lines(`
        GET /v2/version
        GET /livez
        GET /readyz
        GET /v2/parties
        POST /v2/parties
        GET /v2/parties/participant-id
        GET /v2/parties/{party}
        PATCH /v2/parties/{party}
        POST /v2/parties/external/allocate
        POST /v2/parties/external/generate-topology
        GET /v2/users
        POST /v2/users
        PATCH /v2/users/{user-id}
        DELETE /v2/users/{user-id}
        PATCH /v2/users/{user-id}/identity-provider-id
        GET /v2/users/{user-id}
        GET /v2/authenticated-user
        GET /v2/users/{user-id}/rights
        POST /v2/users/{user-id}/rights
        PATCH /v2/users/{user-id}/rights
        GET /v2/idps
        POST /v2/idps
        GET /v2/idps/{idp-id}
        PATCH /v2/idps/{idp-id}
        DELETE /v2/idps/{idp-id}
        POST /v2/commands/submit-and-wait
        POST /v2/commands/submit-and-wait-for-transaction
        POST /v2/commands/async/submit
        POST /v2/commands/async/submit-reassignment
        POST /v2/commands/submit-and-wait-for-reassignment
        POST /v2/commands/completions
        POST /v2/commands/command-completions
        POST /v2/commands/submit-and-wait-for-transaction-tree
        GET /v2/packages
        GET /v2/packages/{package-id}/status
        GET /v2/packages/{package-id}
        POST /v2/packages
        POST /v2/dars
        POST /v2/dars/validate
        GET /v2/package-vetting
        POST /v2/package-vetting
        POST /v2/package-vetting/list
        POST /v2/package-vetting/update
        POST /v2/interactive-submission/prepare
        POST /v2/interactive-submission/execute
        POST /v2/interactive-submission/executeAndWait
        POST /v2/interactive-submission/executeAndWaitForTransaction
        GET /v2/interactive-submission/preferred-package-version
        POST /v2/interactive-submission/preferred-packages
        GET /v2/state/connected-synchronizers
        GET /v2/state/latest-pruned-offsets
        GET /v2/state/ledger-end
        POST /v2/state/active-contracts
        POST /v2/state/active-contracts-page
        GET /v2/state/active-contracts-page
        POST /v2/contracts/contract-by-id
        POST /v2/updates
        POST /v2/updates/flats
        POST /v2/updates/trees
        POST /v2/updates/get-updates-page
        POST /v2/updates/update-by-id
        POST /v2/updates/update-by-offset
        POST /v2/updates/transaction-by-id
        POST /v2/updates/transaction-by-offset
        GET /v2/updates/transaction-tree-by-id/{update-id}
        GET /v2/updates/transaction-tree-by-offset/{offset}
        POST /v2/events/events-by-contract-id`),
    );
  });

  test("the participant's administration has exactly these operations", () => {
    expect(listOperations(participantAdminApi.endpoints)).toEqual(
      lines(`
        GET /v1/pruning/schedule
        PUT /v1/pruning/schedule
        DELETE /v1/pruning/schedule
        POST /v1/pruning/prune
        GET /v1/pruning/status
        GET /v1/identity
        GET /v1/sequencer-connections
        PUT /v1/sequencer-connections`),
    );
  });

  test("the control socket has exactly these operations", () => {
    expect(listOperations(controlApi.endpoints)).toEqual(
      lines(`
        GET /v1/status
        POST /v1/backup
        GET /v1/keys
        POST /v1/keys/rotate
        GET /v1/network
        POST /v1/network/activation`),
    );
  });

  test("the local network has exactly these operations", () => {
    expect(listOperations(localNetworkApi.endpoints)).toEqual(
      lines(`
        GET /readyz
        GET /livez
        GET /ext/v1/clock
        POST /ext/v1/clock
        GET /ext/v1/scans
        GET /ext/v1/users
        POST /ext/v1/users/{user}/token
        POST /ext/v1/scans/{number}
        POST /ext/v1/snapshots
        GET /ext/v1/snapshots
        POST /ext/v1/snapshots/{name}/restore
        DELETE /ext/v1/snapshots/{name}`),
    );
  });
});

describe.each(apis.map(({ api }) => api))("the table of $name", (api) => {
  const endpoints = Object.entries(api.endpoints);

  test("names each operation by its key", () => {
    expect(endpoints.map(([, { id }]) => id)).toEqual(endpoints.map(([key]) => key));
  });

  test("has no two operations for the same method and path", () => {
    const routes = endpoints.map(([, { method, path }]) => `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test.each(endpoints)("%s describes every parameter of its path, and no other", (_, { path, params }) => {
    expect(Object.keys(params?.shape ?? {})).toEqual(listPathParameters(path));
    expect(path).toMatch(/^(\/([\w.-]+|\{[\w-]+\}))+$/);
  });

  test.each(endpoints)(
    "%s has declared tags, a body only where one is sent, error statuses in order",
    (_, endpoint) => {
      for (const tag of endpoint.tags) expect(Object.keys(api.tags)).toContain(tag);
      // Two older operations of the ledger API take the body of a GET, if there is one.
      const isBodiless = endpoint.method === "GET" || endpoint.method === "DELETE";
      if (isBodiless && endpoint.bodyMayBeAbsent !== true) expect(endpoint.body).toBeUndefined();
      expect(endpoint.errors).toEqual([...new Set(endpoint.errors)].sort((a, b) => a - b));
      if (!["none", "loopback", "socket", "ledger:none"].includes(endpoint.auth))
        expect(endpoint.errors).toContain(401);
    },
  );
});

describe("who may call", () => {
  test("scan asks nobody for a token", () => {
    expect(new Set(Object.values(scanApi.endpoints).map(({ auth }) => auth))).toEqual(new Set(["none"]));
  });

  test("the validator leaves only its health open, who it is, and the names that are shown", () => {
    const open = Object.values(validatorApi.endpoints).filter(({ auth }) => auth === "none");
    expect(open.map(({ path }) => path)).toEqual([
      "/v0/validator-user",
      "/ext/v1/splice-instance-names",
      "/readyz",
      "/livez",
      "/status",
      "/version",
    ]);
  });

  test("names and wallet act for the wallet's user; the proxy and a registration take any valid token", () => {
    const rules = Object.values(validatorApi.endpoints).map(({ path, auth }) => [path, auth] as const);
    for (const [path, auth] of rules) {
      if (auth === "none" || auth === "validator-operator") continue;
      if (/^\/v0\/(scan-proxy|wallet\/user-status|feature-support|register)/.test(path))
        expect([path, auth]).toEqual([path, "user"]);
      else if (/^\/(v0|ext)\//.test(path)) expect([path, auth]).toEqual([path, "wallet-user"]);
    }
  });

  test("PATCH of a party needs the participant's or the identity provider's admin", () => {
    expect(ledgerApi.endpoints.updatePartyDetails.auth).toBe("ledger:admin-or-idp-admin");
    expect(ledgerApi.endpoints.getEventsByContractId.auth).toBe("ledger:read-as");
  });

  test("every rule is used", () => {
    expect(new Set(everyEndpoint.map(({ auth }) => auth))).toEqual(new Set(Object.keys(authRules)));
  });
});

describe("scan's document", () => {
  const endpoints = Object.values(scanApi.endpoints);

  test("has version 0.0.1, and tags every operation with one of the seed's tags", () => {
    expect(scanApi.version).toBe("0.0.1");
    const tags = ["external", "internal", "deprecated", "scan", "pre-alpha"];
    expect(Object.keys(scanApi.tags)).toEqual(tags);
    for (const { tags: given } of endpoints) expect(tags).toEqual(expect.arrayContaining([...given]));
  });

  test("deprecates by tag and by flag alike, the two operations of the seed among them", () => {
    const flagged = Object.values<Endpoint>(scanApi.endpoints).filter(
      ({ deprecated }) => deprecated === true,
    );
    const tagged = endpoints.filter(({ tags }) => (tags as readonly string[]).includes("deprecated"));
    expect(flagged.map(({ path }) => path)).toEqual(tagged.map(({ path }) => path));
    const seed = ["/v0/rewards-collected", "/v0/amulet-config-for-round"];
    expect(flagged.map(({ path }) => path)).toEqual(expect.arrayContaining(seed));
  });
});

test("the ledger API's document deprecates what newer clients have another operation for", () => {
  const flagged = Object.values<Endpoint>(ledgerApi.endpoints).filter(
    ({ deprecated }) => deprecated === true,
  );
  expect(listOperations(Object.fromEntries(flagged.map((endpoint) => [endpoint.id, endpoint])))).toEqual(
    lines(`
      POST /v2/commands/submit-and-wait-for-transaction-tree
      GET /v2/interactive-submission/preferred-package-version
      GET /v2/package-vetting
      POST /v2/package-vetting
      GET /v2/state/active-contracts-page
      POST /v2/updates/flats
      POST /v2/updates/trees
      POST /v2/updates/transaction-by-id
      POST /v2/updates/transaction-by-offset
      GET /v2/updates/transaction-tree-by-id/{update-id}
      GET /v2/updates/transaction-tree-by-offset/{offset}`),
  );
});

test("two operations of one name cannot stand in one API", () => {
  const definition = {
    method: "GET",
    path: "/a",
    tags: ["a"],
    summary: "",
    auth: "none",
    success: empty,
  } as const;
  const table = defineEndpoints({})({ getA: { ...definition, errors: [] } });
  expect(() => mergeEndpoints(table, table)).toThrow("two operations are called getA");
});
