// The field tables of the seed against a network that runs: what the wire carries, key by key and type by type, read
// without our own clients and schemas. docs/spec-coverage.md leans on it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";

const HOLDING = "#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding";
const AMULET = "#splice-amulet:Splice.Amulet:Amulet";

let world: LocalNetwork;
let party: string;
let ledgerUrl: string;
let scanUrl: string;
let entry: string;
/** A coin that was spent, and one that was not. */
let spent: string;
let coin: string;
beforeAll(async () => {
  world = await LocalNetwork.start();
  party = await world.party("app-user");
  ledgerUrl = world.net.nodes["app-user"].ledgerUrl;
  scanUrl = world.net.svs[0]?.scanUrl ?? "";
  spent = ((await world.tap("app-user", "10")) as { readonly contract_id: string }).contract_id;
  const name = await world.buy("app-user", { name: "alice", url: "https://example.com", description: "Hi" });
  entry = (await world.scan().lookupAnsEntryByName({ params: { name } })).entry.contract_id ?? "";
  coin = ((await world.tap("app-user", "1")) as { readonly contract_id: string }).contract_id;
});
afterAll(() => world?.close());

interface Raw {
  readonly status: number;
  readonly body: unknown;
}

async function ask(
  url: string,
  given: { method?: string; token?: string; body?: unknown } = {},
): Promise<Raw> {
  const { method = "GET", token, body } = given;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

/** The names of types, in the words of the seed's tables. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.every((item) => typeof item === "string") ? "strings" : "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function typesOf(value: unknown): Record<string, string> {
  if (typeOf(value) !== "object") throw new Error(`not an object: ${JSON.stringify(value)}`);
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, typeOf(each)]));
}

type Json = Record<string, unknown>;

describe("scan's records", () => {
  test("GetRewardsCollectedResponse, and ErrorResponse where there is none", async () => {
    const { status, body } = await ask(`${scanUrl}/v0/rewards-collected`);
    expect([status, typesOf(body)]).toEqual([200, { amount: "string" }]);
    const missing = await ask(`${scanUrl}/v0/rewards-collected?round=9`);
    expect([missing.status, typesOf(missing.body)]).toEqual([404, { error: "string" }]);
  });

  test("the amulet config response", async () => {
    const { body } = await ask(`${scanUrl}/v0/amulet-config-for-round`);
    expect(typesOf(body)).toEqual({
      amulet_create_fee: "string",
      holding_fee: "string",
      lock_holder_fee: "string",
      transfer_fee: "object",
    });
    const { initial, steps } = (body as Json)["transfer_fee"] as Json;
    expect([typeof initial, Array.isArray(steps)]).toEqual(["string", true]);
  });

  test("the traffic parameters, on the AmuletRules of any scan", async () => {
    for (const { scanUrl: url } of world.net.svs) {
      const { body } = await ask(`${url}/v0/amulet-rules`, { method: "POST", body: {} });
      const { amulet_rules_update } = body as { amulet_rules_update: { contract: { payload: Json } } };
      const { configSchedule } = amulet_rules_update.contract.payload as { configSchedule: Json };
      const { initialValue } = configSchedule as { initialValue: { decentralizedSynchronizer: Json } };
      expect(initialValue.decentralizedSynchronizer["fees"]).toEqual({
        baseRateTrafficLimits: {
          burstAmount: "4000000000",
          burstWindow: { microseconds: "1200000000" },
        },
        extraTrafficPrice: "16.67",
        readVsWriteScalingFactor: "4",
        minTopupAmount: "200000",
      });
    }
  });
});

function askEvents(contractId: string, eventFormat: unknown): Promise<Raw> {
  const { token } = world.net.nodes["app-user"];
  return ask(`${ledgerUrl}/v2/events/events-by-contract-id`, {
    method: "POST",
    token,
    body: { contractId, eventFormat },
  });
}

function formatOf(...filters: readonly Json[]): Json {
  const cumulative = filters.map((identifierFilter) => ({ identifierFilter }));
  return { filtersByParty: { [party]: { cumulative } }, verbose: true };
}

const byHolding = { InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } } };

describe("the events of a contract", () => {
  const createdFields = {
    offset: "integer",
    nodeId: "integer",
    contractId: "string",
    templateId: "string",
    createArgument: "object",
    witnessParties: "strings",
    signatories: "strings",
    observers: "strings",
    createdAt: "string",
    packageName: "string",
    representativePackageId: "string",
    acsDelta: "boolean",
    contractKey: "null",
    contractKeyHash: "string",
    createdEventBlob: "string",
    interfaceViews: "strings",
  };

  test("a created event has every field of the seed, and no other", async () => {
    const { status, body } = await askEvents(entry, formatOf({ Empty: {} }));
    expect(status).toBe(200);
    expect(typesOf(body)).toEqual({ created: "object", archived: "null" });
    const { created } = body as { created: Json };
    expect(typesOf(created)).toEqual({ createdEvent: "object", synchronizerId: "string" });
    expect(typesOf(created["createdEvent"])).toEqual(createdFields);
    const { dso_party_id: dso } = await world.scan().getDsoPartyId();
    expect(created["createdEvent"]).toMatchObject({
      contractId: entry,
      templateId: expect.stringMatching(/^[0-9a-f]{64}:Splice\.Ans:AnsEntry$/),
      packageName: "splice-amulet-name-service",
      createArgument: { user: party, dso, name: "alice.unverified.cns" },
      witnessParties: [party],
      signatories: expect.arrayContaining([party, dso]),
      acsDelta: true,
    });
  });

  test("an archived event has every field of the seed, and no other", async () => {
    const { body } = await askEvents(spent, formatOf(byHolding));
    const { archived } = body as { archived: Json };
    expect(typesOf(archived)).toEqual({ archivedEvent: "object", synchronizerId: "string" });
    expect(typesOf(archived["archivedEvent"])).toEqual({
      offset: "integer",
      nodeId: "integer",
      contractId: "string",
      templateId: "string",
      witnessParties: "strings",
      packageName: "string",
      implementedInterfaces: "strings",
    });
    const { interfaceId } = await viewOf(spent);
    expect(archived["archivedEvent"]).toMatchObject({
      contractId: spent,
      witnessParties: [party],
      packageName: "splice-amulet",
      implementedInterfaces: [interfaceId],
    });
  });

  async function viewOf(contractId: string): Promise<Json> {
    const { body } = await askEvents(contractId, formatOf(byHolding));
    const { created } = body as { created: { createdEvent: { interfaceViews: readonly Json[] } } };
    const [view, ...others] = created.createdEvent.interfaceViews;
    expect(others).toEqual([]);
    return view ?? {};
  }

  test("an interface view has every field of the seed, and no other", async () => {
    const view = await viewOf(coin);
    expect(typesOf(view)).toEqual({
      interfaceId: "string",
      viewStatus: "object",
      viewValue: "object",
      implementationPackageId: "string",
    });
    expect(view["viewStatus"]).toEqual({ code: 0, message: "", details: [] });
  });

  test("filters: none, empty, wildcard, template and interface, each for what it selects", async () => {
    const wildcard = (includeCreatedEventBlob: boolean) => ({
      WildcardFilter: { value: { includeCreatedEventBlob } },
    });
    const template = { TemplateFilter: { value: { templateId: AMULET, includeCreatedEventBlob: false } } };
    const blobOf = async (contractId: string, format: unknown) => {
      const { status, body } = await askEvents(contractId, format);
      if (status !== 200) return status;
      const { created } = body as { created: { createdEvent: { createdEventBlob: string } } };
      return created.createdEvent.createdEventBlob === "" ? "without" : "with";
    };
    expect(await blobOf(entry, formatOf())).toBe("without");
    expect(await blobOf(entry, formatOf({ Empty: {} }))).toBe("without");
    expect(await blobOf(entry, formatOf(wildcard(false)))).toBe("without");
    expect(await blobOf(entry, formatOf(wildcard(true)))).toBe("with");
    expect(await blobOf(entry, formatOf(template))).toBe(404);
    expect(await blobOf(coin, formatOf(template))).toBe("without");
    expect(await blobOf(entry, formatOf(byHolding))).toBe(404);
    const forAny = {
      filtersByParty: {},
      filtersForAnyParty: { cumulative: [{ identifierFilter: { Empty: {} } }] },
    };
    expect(await blobOf(entry, forAny)).toBe(403);
    const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }];
    const params = { "user-id": "app-user" };
    await world.ledger("app-user").grantUserRights({ params, body: { rights } });
    expect(await blobOf(entry, forAny)).toBe("without");
    await world.ledger("app-user").revokeUserRights({ params, body: { rights } });
  });
});

describe("party details", () => {
  const patch = (body: unknown, token = world.net.serviceToken) =>
    ask(`${ledgerUrl}/v2/parties/${encodeURIComponent(party)}`, { method: "PATCH", token, body });
  const details = (more: Json = {}) => ({ party, isLocal: true, identityProviderId: "", ...more });

  test("an update answers the updated details, with every field of the seed, and no other", async () => {
    const { status, body } = await patch({
      partyDetails: details({ localMetadata: { resourceVersion: "", annotations: { team: "red" } } }),
      updateMask: { paths: ["local_metadata.annotations"], unknownFields: { fields: {} } },
    });
    expect(status).toBe(200);
    expect(typesOf(body)).toEqual({ partyDetails: "object" });
    const { partyDetails } = body as { partyDetails: Json };
    expect(typesOf(partyDetails)).toEqual({
      party: "string",
      isLocal: "boolean",
      localMetadata: "object",
      identityProviderId: "string",
    });
    expect(typesOf(partyDetails["localMetadata"])).toEqual({
      resourceVersion: "string",
      annotations: "object",
    });
    expect(partyDetails["localMetadata"]).toMatchObject({ annotations: { team: "red" } });
  });

  const errorFields = {
    code: "string",
    cause: "string",
    context: "object",
    errorCategory: "integer",
    correlationId: "null",
    traceId: "string",
    grpcCodeValue: "integer",
    definiteAnswer: "boolean",
  };

  test("an error has every field of the seed, and no other", async () => {
    const noPaths = await patch({ partyDetails: details(), updateMask: { paths: [] } });
    expect(noPaths.status).toBe(400);
    expect(typesOf(noPaths.body)).toEqual({ ...errorFields, resources: "array", retryInfo: "null" });
    expect((noPaths.body as Json)["resources"]).toEqual([["PARTY", party]]);
    const stale = await patch({
      partyDetails: details({ localMetadata: { resourceVersion: "999", annotations: {} } }),
      updateMask: { paths: ["local_metadata"] },
    });
    expect(stale.status).toBe(409);
    expect(typesOf(stale.body)).toEqual({ ...errorFields, resources: "array", retryInfo: "string" });
  });

  test("an error of a submission carries its id; one about rights tells nothing but ids", async () => {
    const { token } = world.net.nodes["app-user"];
    const submit = (body: unknown) =>
      ask(`${ledgerUrl}/v2/commands/submit-and-wait`, { method: "POST", token, body });
    const choice = { choice: "Archive", choiceArgument: {} };
    const commands = [{ ExerciseCommand: { templateId: AMULET, contractId: spent, ...choice } }];
    const submitted = await submit({ commands, commandId: "c", submissionId: "s-1", actAs: [party] });
    expect(submitted.body).toMatchObject({ correlationId: "s-1", definiteAnswer: expect.any(Boolean) });
    const denied = await patch({ partyDetails: details(), updateMask: { paths: ["party"] } }, token);
    expect([denied.status, typesOf(denied.body)]).toEqual([
      403,
      {
        ...errorFields,
        correlationId: "string",
        resources: "strings",
        retryInfo: "null",
        definiteAnswer: "null",
      },
    ]);
  });
});

describe("health of the whole network", () => {
  const statusAt = async (path: string) => (await fetch(world.net.developmentUrl + path)).status;
  const paths = ["/readyz", "/livez", "/api/validator/readyz", "/api/validator/livez"];

  test("is 200 when everything answers, and otherwise says what does not", async () => {
    for (const path of paths) expect([path, await statusAt(path)]).toEqual([path, 200]);
    await world.development.setScanBehaviour({ params: { number: "2" }, body: { behaviour: "stop" } });
    for (const path of paths) {
      const { status, body } = await ask(world.net.developmentUrl + path);
      expect([path, status, body]).toEqual([path, 503, { error: "These do not answer: scan 2" }]);
    }
    await world.development.setScanBehaviour({ params: { number: "2" }, body: { behaviour: "honest" } });
    for (const path of paths) expect([path, await statusAt(path)]).toEqual([path, 200]);
  });
});
