/** PartyManagementServiceIT. Titles begin with the upstream tests' names. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { newParticipant, ready } from "../support/participants.ts";
import { expectDenied, expectFailure, failureIn } from "./failure.ts";
import { IDP_ADMIN, startIdentityProvider, type TestIdentityProvider } from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
let one: TestIdentityProvider;
let namespace: string;

beforeAll(async () => {
  namespace = ledger.participant.participantId.split("::")[1] ?? "";
  one = await startIdentityProvider(ledger.participant, "idp-1", ledger.atEnd);
  await startIdentityProvider(ledger.participant, "idp-2", ledger.atEnd);
  await one.addUser("admin-of-1", [IDP_ADMIN]);
});

const allocate = async (body: object = {}, client = ledger.admin) =>
  (await client.allocateParty({ body: body as never })).partyDetails;

const get = async (party: string, more: { parties?: string[]; "identity-provider-id"?: string } = {}) =>
  (await ledger.admin.getParties({ params: { party }, query: more })).partyDetails;

describe("allocation", () => {
  test("PMNonEmptyParticipantID", async () => {
    const { participantId } = await ledger.admin.getParticipantId();
    expect(participantId).toMatch(/^participant::1220[0-9a-f]{64}$/);
  });

  test("PMAllocateWithHint", async () => {
    const hint = fresh("hint");
    expect((await allocate({ partyIdHint: hint })).party).toBe(`${hint}::${namespace}`);
  });

  test("PMAllocateWithoutHint", async () => {
    const { party } = await allocate();
    expect(party).toMatch(new RegExp(`^party-[0-9a-f-]{36}::${namespace}$`));
  });

  test("PMAllocateWithLocalMetadataAnnotations", async () => {
    const annotations = { k1: "v1", k2: "v2" };
    const partyIdHint = fresh("annotated");
    const details = await allocate({ partyIdHint, localMetadata: { annotations } });
    expect(details).toEqual({
      party: `${partyIdHint}::${namespace}`,
      isLocal: true,
      localMetadata: { resourceVersion: "0", annotations },
      identityProviderId: "",
    });
    expect(await get(details.party)).toEqual([details]);
  });

  test("PMFailToAllocateWhenAnnotationsHaveEmptyValues", async () => {
    const failed = allocate({ localMetadata: { annotations: { k1: "v1", k2: "" } } });
    await expectFailure(failed, "INVALID_ARGUMENT", "value of an annotation is empty");
  });

  test("PMRejectionDuplicateHint", async () => {
    const partyIdHint = fresh("twice");
    await allocate({ partyIdHint });
    await expectFailure(allocate({ partyIdHint }), "INVALID_ARGUMENT", "Party already exists");
  });

  test("PMRejectLongPartyHints", async () => {
    const failed = allocate({ partyIdHint: "x".repeat(256) });
    await expectFailure(failed, "INVALID_ARGUMENT", "Party is too long");
    const longer = allocate({ partyIdHint: "x".repeat(186) });
    await expectFailure(longer, "INVALID_ARGUMENT", "Invalid party ID: ");
  });

  test("PMRejectInvalidPartyHints", async () => {
    await expectFailure(allocate({ partyIdHint: "😀" }), "INVALID_ARGUMENT", "non expected character");
    await expectFailure(allocate({ partyIdHint: "a::b" }), "INVALID_ARGUMENT", "Invalid party ID: ");
  });

  test("PMAllocateOneHundred", async () => {
    const made = new Set<string>();
    for (let i = 0; i < 10; i++) {
      const all = await Promise.all(Array.from({ length: 10 }, () => allocate()));
      for (const { party } of all) made.add(party);
    }
    expect(made.size).toBe(100);
  });

  test.each([
    [{ localMetadata: { resourceVersion: "1" } }, "INVALID_ARGUMENT", "resource_version must be not set"],
    [{ identityProviderId: "unknown" }, "INVALID_ARGUMENT", "has not been found"],
    [{ identityProviderId: "!" }, "INVALID_TOKEN", "identity_provider_id"],
    [{ userId: "nobody" }, "USER_NOT_FOUND", "nobody"],
    [{ userId: "?" }, "INVALID_FIELD", "user_id"],
    [{ synchronizerId: "other" }, "INVALID_FIELD", "synchronizer_id"],
    [{ synchronizerId: "a::1220" }, "PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER", "is connected to"],
  ])("is refused with %j, and nothing is made", async (body, code, words) => {
    const partyIdHint = fresh("refused");
    await expectFailure(allocate({ partyIdHint, ...body }), code, words);
    expect(await get(`${partyIdHint}::${namespace}`)).toEqual([]);
  });

  test("takes the synchronizer that the participant is connected to", async () => {
    const { connectedSynchronizers } = await ledger.admin.listConnectedSynchronizers({ query: {} });
    const synchronizerId = connectedSynchronizers[0]?.synchronizerId;
    expect((await allocate({ partyIdHint: fresh("here"), synchronizerId })).isLocal).toBe(true);
  });

  test("of the same hint ten times at once happens once", async () => {
    const partyIdHint = fresh("race");
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => allocate({ partyIdHint })));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await get(`${partyIdHint}::${namespace}`)).toHaveLength(1);
  });

  test("TestAllocationTimeGrantUserRights", async () => {
    const id = fresh("owner");
    await ledger.admin.createUser({ body: { user: { id }, rights: [] } });
    const { party } = await allocate({ userId: id });
    const { rights } = await ledger.admin.listUserRights({ params: { "user-id": id } });
    expect(rights).toEqual([{ kind: { CanActAs: { value: { party } } } }]);
  });

  test("by a user for themselves is denied, once everything else is right", async () => {
    const id = fresh("self");
    await ledger.admin.createUser({ body: { user: { id }, rights: [] } });
    const client = ledger.participant.as(id);
    await expectDenied(allocate({ userId: id }, client));
    await expectFailure(allocate({ userId: id, partyIdHint: "😀" }, client), "INVALID_ARGUMENT");
    await expectDenied(allocate({}, client));
  });
});

describe("lookups", () => {
  test("PMGetPartiesDetails", async () => {
    const first = await allocate({ localMetadata: { annotations: { k1: "v1" } } });
    const second = await allocate({ localMetadata: { annotations: { k2: "v2" } } });
    const unknown = "unknown::1220ab";
    const both = [first, second].toSorted((a, b) => (a.party < b.party ? -1 : 1));
    expect(await get(second.party, { parties: [unknown, first.party, second.party] })).toEqual(both);
    expect(await get(unknown)).toEqual([]);
  });

  test("PMListKnownParties", async () => {
    const made = [await allocate(), await allocate(), await allocate()];
    const { partyDetails } = await ledger.admin.listParties({ query: {} });
    expect(partyDetails).toEqual(expect.arrayContaining(made));
    expect(made.every(({ isLocal }) => isLocal)).toBe(true);
  });

  test("PMGetPartiesIsLocal: elsewhere the party is not known, or not local", async () => {
    const { party } = await allocate();
    const other = await newParticipant(ledger.sequencers, {}, ledger.atEnd);
    await ready(other);
    const { partyDetails } = await other.admin.getParties({ params: { party } });
    expect(partyDetails.filter(({ isLocal }) => isLocal)).toEqual([]);
  });

  test("every legal character of a hint comes back through the path", async () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const details = await allocate({ partyIdHint: `Carol:-_ ${letters}` });
    expect(details.party).toBe(`Carol:-_ ${letters}::${namespace}`);
    expect(await get(details.party)).toEqual([details]);
    const answer = await ledger.admin.updatePartyDetails({
      params: { party: details.party },
      body: { partyDetails: { party: details.party }, updateMask: { paths: ["party"] } },
    });
    expect(answer.partyDetails.party).toBe(details.party);
  });
});

describe("pages", () => {
  const page = async (query: { pageSize?: number; pageToken?: string; "filter-party"?: string }) => {
    const { partyDetails, nextPageToken } = await ledger.admin.listParties({ query });
    return { parties: partyDetails.map(({ party }) => party), nextPageToken };
  };

  test("PMPagedListKnownPartiesNewPartyVisibleOnPage", async () => {
    const prefix = fresh("visible");
    await allocate({ partyIdHint: `${prefix}-b` });
    const query = { pageSize: 10, "filter-party": prefix };
    const before = await page(query);
    const { party } = await allocate({ partyIdHint: `${prefix}-a` });
    expect((await page(query)).parties).toEqual([party, ...before.parties]);
  });

  test("PMPagedListKnownPartiesNewPartyInvisibleOnNextPage", async () => {
    const prefix = fresh("invisible");
    for (const name of ["b", "c", "d", "e"]) await allocate({ partyIdHint: `${prefix}-${name}` });
    const query = { pageSize: 2, "filter-party": prefix };
    const { nextPageToken } = await page(query);
    const second = await page({ ...query, pageToken: nextPageToken });
    await allocate({ partyIdHint: `${prefix}-a` });
    expect(await page({ ...query, pageToken: nextPageToken })).toEqual(second);
  });

  test("PMPagedListKnownPartiesReachingTheLastPage", async () => {
    const prefix = fresh("last");
    const all: string[] = [];
    for (const name of ["B", "a", "c", "d"]) {
      all.push((await allocate({ partyIdHint: `${prefix}-${name}` })).party);
    }
    const query = { pageSize: 2, "filter-party": prefix };
    const first = await page(query);
    // URL-safe base64, with padding, of a protobuf message whose field 1 is the last party.
    const last = Buffer.from(first.parties[1] ?? "");
    const encoded = Buffer.concat([Buffer.from([10, last.length]), last]).toString("base64");
    expect(first.nextPageToken).toBe(encoded.replaceAll("+", "-").replaceAll("/", "_"));
    const second = await page({ ...query, pageToken: first.nextPageToken });
    expect([...first.parties, ...second.parties]).toEqual(all);
    // A page that is exactly full may be followed by an empty one.
    const third = await page({ ...query, pageToken: second.nextPageToken });
    expect(third).toEqual({ parties: [], nextPageToken: "" });
  });

  test("PMPagedListKnownPartiesWithInvalidRequest", async () => {
    await expectFailure(page({ pageToken: randomUUID() }), "INVALID_ARGUMENT", "Invalid page token");
    await expectFailure(page({ pageSize: -100 }), "INVALID_ARGUMENT", "Page size must be non-negative");
  });

  test("PMPagedListKnownPartiesZeroPageSize", async () => {
    const [first] = (await page({ pageSize: 0 })).parties;
    expect((await page({ pageSize: 1 })).parties).toEqual([first]);
  });

  test("PMPagedListKnownPartiesMaxPageSize", async () => {
    const { features } = await ledger.admin.getVersion();
    const pageSize = features.partyManagement.maxPartiesPageSize + 1;
    const words = "Page size must not exceed the server's maximum of 10000";
    await expectFailure(page({ pageSize }), "INVALID_ARGUMENT", words);
    expect((await page({ pageSize: pageSize - 1 })).parties.length).toBeGreaterThan(0);
  });

  test("PMListFilteredKnownParties", async () => {
    const hint = fresh("filtered");
    const { party } = await allocate({ partyIdHint: hint });
    await allocate({ partyIdHint: fresh("other") });
    expect((await page({ "filter-party": party })).parties).toEqual([party]);
    expect((await page({ "filter-party": hint })).parties).toEqual([party]);
    for (const filter of ["😀", "x".repeat(186)]) {
      await expectFailure(page({ "filter-party": filter }), "INVALID_FIELD", "filterString");
    }
  });

  test("empty parameters are as good as none", async () => {
    const url = `${ledger.participant.url}/v2/parties?identity-provider-id=&pageToken=&filter-party=`;
    expect((await call(url, { method: "GET", user: "participant_admin" })).status).toBe(200);
  });
});

describe("identity providers", () => {
  test("PMGetPartiesUsingDifferentIdps", async () => {
    const annotations = { k: "v" };
    const make = (identityProviderId: string) =>
      allocate({ identityProviderId, localMetadata: { annotations } });
    const [none, first, second] = [await make(""), await make("idp-1"), await make("idp-2")];
    expect([none, first, second].map(({ identityProviderId }) => identityProviderId)).toEqual([
      "",
      "idp-1",
      "idp-2",
    ]);
    const blind = { localMetadata: { resourceVersion: "", annotations: {} }, identityProviderId: "" };
    const seen = async (view: string) => {
      const parties = [none.party, first.party, second.party];
      const details = await get(none.party, { parties, "identity-provider-id": view });
      const { partyDetails } = await ledger.admin.listParties({ query: { "identity-provider-id": view } });
      expect(partyDetails).toEqual(expect.arrayContaining(details));
      return parties.map((party) => details.find((each) => each.party === party));
    };
    expect(await seen("")).toEqual([none, { ...first, ...blind }, { ...second, ...blind }]);
    const hidden = { ...blind, isLocal: false };
    expect(await seen("idp-1")).toEqual([{ ...none, ...hidden }, first, { ...second, ...hidden }]);
    // One that is not there is not an error where parties are looked at.
    expect(await get(none.party, { "identity-provider-id": "unknown" })).toEqual([{ ...none, ...hidden }]);
  });

  test("ImpliedIdpPartyManagementServiceTest: an admin of one makes, sees and changes its parties", async () => {
    const client = one.client("admin-of-1");
    const details = await allocate({ partyIdHint: fresh("own") }, client);
    expect(details.identityProviderId).toBe("idp-1");
    const { party } = details;
    expect((await client.getParties({ params: { party } })).partyDetails).toEqual([details]);
    const body = { partyDetails: { party }, updateMask: { paths: ["party"] } };
    const updated = await client.updatePartyDetails({ params: { party }, body });
    expect(updated.partyDetails.identityProviderId).toBe("idp-1");
    await expectDenied(client.listParties({ query: { "identity-provider-id": "idp-2" } }));
    await expectDenied(allocate({ identityProviderId: "idp-2" }, client));
    await expectDenied(allocate({ identityProviderId: "idp-2", partyIdHint: party.split("::")[0] }));
    expect((await allocate({ partyIdHint: fresh("default") })).identityProviderId).toBe("");
  });

  test("a party is made for a user of the same one only", async () => {
    await one.addUser("lives-in-1", []);
    await expectDenied(allocate({ userId: "lives-in-1" }));
    const { party } = await allocate({ userId: "lives-in-1", identityProviderId: "idp-1" });
    const { rights } = await one.client("lives-in-1").listUserRights({ params: { "user-id": "lives-in-1" } });
    expect(rights).toEqual([{ kind: { CanActAs: { value: { party } } } }]);
  });
});

describe("parties with keys of their own", () => {
  const publicKey = {
    format: "CRYPTO_KEY_FORMAT_RAW",
    keyData: "",
    keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
  };

  test.each([
    ["PMGenerateExternalPartyTopologyTransaction", "generate-topology", { partyHint: "a", publicKey }],
    ["PMAllocateExternalPartyBasic", "allocate", { onboardingTransactions: [] }],
  ])("%s: is not offered, and that is said", async (_, path, body) => {
    const url = `${ledger.participant.url}/v2/parties/external/${path}`;
    const failure = failureIn(await call(url, { user: "participant_admin", body }));
    expect([failure.status, failure.code, failure.errorCategory]).toEqual([501, "UNSUPPORTED_OPERATION", 14]);
    expect(failure.cause).toContain("POST /v2/parties");
    expect(failureIn(await call(url, { body })).status).toBe(401);
  });
});
