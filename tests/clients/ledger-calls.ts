/** The calls of the ledger client that need no external party and no DAR, and the way to call by a path. */
import type { LedgerClient } from "@canton-network/core-ledger-client";
import { expect } from "vitest";
import { ledgerApi } from "../../packages/api/src/index.ts";
import { type LedgerOperation, type RequestParts, requestsAbout } from "../participant/ledger-requests.ts";
import { fresh } from "../support/fresh.ts";

export interface CallFacts {
  /** A user with a party of its own. */
  readonly user: string;
  readonly party: string;
  /** A contract of the party, and the update that created it. */
  readonly contractId: string;
  readonly updateId: string;
  readonly offset: number;
  readonly packageId: string;
  /** A name, and its owner. */
  readonly name: string;
  readonly owner: string;
  readonly synchronizerId: string;
  readonly participantId: string;
  readonly submission: () => object;
}

export type Calls = Readonly<Record<string, () => Promise<unknown>>>;

export interface AnyClient {
  get: (path: never, params?: never) => Promise<unknown>;
  post: (path: never, body: never, params?: never) => Promise<unknown>;
  patch?: (path: never, body: never, params?: never) => Promise<unknown>;
}

/** `get /v2/version`, as a generated client calls it. */
export function call(
  client: AnyClient,
  name: string,
  { params, query, body }: RequestParts,
): Promise<unknown> {
  const [method, path] = name.split(" ") as ["get" | "post" | "patch", never];
  const parameters = { path: params, query } as never;
  if (method === "get") return client.get(path, parameters);
  if (method === "patch") return client.patch?.(path, body as never, parameters) ?? Promise.resolve();
  return client.post(path, (body ?? {}) as never, parameters);
}

/** Operations of the ledger that need an external party, a DAR, a second synchronizer, or the body of a GET. */
const OTHERS: readonly LedgerOperation[] = [
  ...(["allocateExternalParty", "generateExternalPartyTopology", "prepareSubmission"] as const),
  ...(["executeSubmission", "executeSubmissionAndWait", "executeSubmissionAndWaitForTransaction"] as const),
  ...(["uploadPackage", "uploadDar", "validateDar", "getPackage"] as const),
  ...(["submitReassignment", "submitAndWaitForReassignment", "getActiveContractsPageByGet"] as const),
];

/** Answered with an empty body. */
const PROBES: readonly LedgerOperation[] = ["isLive", "isReady"];

/** The calls that need more than a local network has. */
export function refusedLedgerCalls(client: LedgerClient, facts: CallFacts): Calls {
  const about = requestsAbout(facts);
  const byPath = OTHERS.map((operation) => {
    const { method, path } = ledgerApi.endpoints[operation];
    const name = `${method.toLowerCase()} ${path}`;
    return [name, () => call(client as never, name, about[operation])] as const;
  });
  return {
    allocateExternalParty: () => client.allocateExternalParty(facts.synchronizerId, [], []),
    generateTopology: () => client.generateTopology(facts.synchronizerId, "a2V5", "keyed"),
    ...Object.fromEntries(byPath),
  };
}

/** `declared`: the paths that the client knows. */
export function ledgerCalls(client: LedgerClient, facts: CallFacts, declared: readonly string[]): Calls {
  const { user, party, contractId, updateId, offset } = facts;
  const identityProviderId = fresh("idp");
  const about = requestsAbout(facts);
  const format = (about.listUpdates.body as { updateFormat: { includeTransactions: object } }).updateFormat;
  const transactionFormat = format.includeTransactions;
  const provider = { params: { "idp-id": identityProviderId } };
  const config = { identityProviderId, issuer: identityProviderId, jwksUrl: "http://127.0.0.1:9/" };
  const found: Partial<Record<LedgerOperation, RequestParts>> = {
    createIdentityProviderConfig: { body: { identityProviderConfig: { ...config, isDeactivated: true } } },
    getIdentityProviderConfig: provider,
    updateIdentityProviderConfig: {
      ...provider,
      body: { identityProviderConfig: config, updateMask: { paths: ["audience"] } },
    },
    getPackageStatus: { params: { "package-id": facts.packageId } },
    getContract: { body: { contractId, queryingParties: [party] } },
    getUpdateById: { body: { updateId, updateFormat: format } },
    getUpdateByOffset: { body: { offset, updateFormat: format } },
    getTransactionById: { body: { updateId, transactionFormat } },
    getTransactionByOffset: { body: { offset, transactionFormat } },
    getTransactionTreeById: { params: { "update-id": updateId }, query: { parties: party } },
    getTransactionTreeByOffset: { params: { offset: String(offset) }, query: { parties: party } },
  };
  const paths: Record<string, () => Promise<unknown>> = {};
  for (const [id, { method, path }] of Object.entries(ledgerApi.endpoints)) {
    const operation = id as LedgerOperation;
    if (OTHERS.includes(operation) || PROBES.includes(operation) || method === "DELETE") continue;
    const name = `${method.toLowerCase()} ${path}`;
    if (!declared.includes(name)) continue;
    paths[name] = () => call(client as never, name, found[operation] ?? about[operation]);
  }
  const rights = { actAs: [party as never] };
  return {
    init: () => client.init(),
    getCurrentClientVersion: async () => expect(client.getCurrentClientVersion()).toBe("3.5"),
    parseSupportedVersions: async () => expect(client.parseSupportedVersions("3.5.1")).toBe("3.5"),
    checkIfPartyExists: async () => expect(await client.checkIfPartyExists(party as never)).toBe(true),
    createUser: async () => expect(await client.createUser(user, party as never)).toMatchObject({ id: user }),
    grantRights: () => client.grantRights(user, rights),
    grantMasterUserRights: () => client.grantMasterUserRights(user, true, true),
    waitForPartyAndGrantUserRights: () => client.waitForPartyAndGrantUserRights(user, party as never, 2, 1),
    getSynchronizerId: async () => expect(await client.getSynchronizerId()).toBe(facts.synchronizerId),
    getWithRetry: () => client.getWithRetry("/v2/version"),
    postWithRetry: () => client.postWithRetry("/v2/package-vetting/list", {}),
    patchWithRetry: () => {
      const { params, body } = about.updatePartyDetails as { params: { party: string }; body: never };
      return client.patchWithRetry("/v2/parties/{party}", body, undefined, { path: params });
    },
    ...paths,
  };
}
