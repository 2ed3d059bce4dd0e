/** Parties and users: allocation, lists page by page, rights that are granted and revoked. */
import { beforeAll, describe, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ADMIN, newParticipant, readyParticipant, type TestParticipant } from "../support/participants.ts";
import { call, refusalOf } from "./call.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let namespace: string;

beforeAll(async () => {
  participant = await readyParticipant({}, atEnd);
  namespace = participant.participantId.split("::")[1] ?? "";
});

const allocate = (body: object) => participant.admin.allocateParty({ body: body as never });

describe("a new party", () => {
  test("is named by its hint and the participant's namespace", async () => {
    const annotations = { "name.example/colour": "blue" };
    const { partyDetails } = await allocate({ partyIdHint: "Carol:-_ 1", localMetadata: { annotations } });
    const party = `Carol:-_ 1::${namespace}`;
    expect(partyDetails).toEqual({
      party,
      isLocal: true,
      localMetadata: { resourceVersion: "0", annotations },
      identityProviderId: "",
    });
    expect((await participant.admin.getParties({ params: { party } })).partyDetails).toEqual([partyDetails]);
  });

  test("without a hint gets a name of its own", async () => {
    const { partyDetails } = await allocate({});
    expect(partyDetails.party).toMatch(/^party-[0-9a-f-]{36}::1220/);
  });

  test("may be acted for by the user that the request names", async () => {
    await participant.admin.createUser({ body: { user: { id: "dora" }, rights: [] } });
    const { partyDetails } = await allocate({ partyIdHint: "dora", userId: "dora" });
    const { rights } = await participant.admin.listUserRights({ params: { "user-id": "dora" } });
    expect(rights).toEqual([{ kind: { CanActAs: { value: { party: partyDetails.party } } } }]);
  });

  test.each([
    [{ partyIdHint: "x".repeat(256) }, 400, "INVALID_ARGUMENT", "Party is too long"],
    [{ partyIdHint: "x".repeat(186) }, 400, "INVALID_ARGUMENT", "Invalid party ID"],
    [{ partyIdHint: "a::b" }, 400, "INVALID_ARGUMENT", "Invalid party ID"],
    [{ partyIdHint: "a:" }, 400, "INVALID_ARGUMENT", "Invalid party ID"],
    [{ partyIdHint: "😀" }, 400, "INVALID_ARGUMENT", "non expected character"],
    [
      { localMetadata: { resourceVersion: "1" } },
      400,
      "INVALID_ARGUMENT",
      "resource_version must be not set",
    ],
    [{ identityProviderId: "idp" }, 400, "INVALID_ARGUMENT", "has not been found"],
    [{ userId: "nobody" }, 404, "USER_NOT_FOUND", "nobody"],
    [
      { synchronizerId: "other::1220" },
      400,
      "PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER",
      "is connected to",
    ],
  ])("is refused with %j", async (body, status, code, words) => {
    const refused = await refusalOf(allocate(body));
    expect(refused).toMatchObject({ status, code });
    expect(refused.cause).toContain(words);
  });

  test("is allocated once, even by two concurrent requests", async () => {
    const all = await Promise.allSettled([1, 2, 3].map(() => allocate({ partyIdHint: "once" })));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const again = await refusalOf(allocate({ partyIdHint: "once" }));
    expect(again).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    expect(again.cause).toContain("Party already exists");
  });
});

test("parties are listed page by page, ordered by their bytes", async () => {
  const hints = ["list-a", "list-B", "list-c", "list-d", "list-e"];
  for (const partyIdHint of hints) await allocate({ partyIdHint });
  const names: string[] = [];
  let pageToken = "";
  do {
    const query = { pageSize: 2, pageToken, "filter-party": "list-" };
    const page = await participant.admin.listParties({ query });
    names.push(...page.partyDetails.map(({ party }) => party.split("::")[0] ?? ""));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(names).toEqual(["list-B", "list-a", "list-c", "list-d", "list-e"]);
  const exact = await participant.admin.listParties({ query: { "filter-party": `list-c::${namespace}` } });
  expect(exact.partyDetails.map(({ party }) => party)).toEqual([`list-c::${namespace}`]);
  const full = await participant.admin.listParties({ query: { pageSize: 5, "filter-party": "list-" } });
  expect(full.nextPageToken).not.toBe("");
});

describe("a user", () => {
  const admin = () => participant.admin;
  const params = (id: string) => ({ params: { "user-id": id } });
  const act = { kind: { CanActAs: { value: { party: "a::b" } } } };
  const readAny = { kind: { CanReadAsAnyParty: { value: {} } } };

  test("is made with rights, which can be granted and revoked", async () => {
    const { user } = await admin().createUser({
      body: { user: { id: "erna", primaryParty: "a::b" }, rights: [act] },
    });
    expect(user).toEqual({
      id: "erna",
      primaryParty: "a::b",
      isDeactivated: false,
      metadata: { resourceVersion: "0", annotations: {} },
      identityProviderId: "",
      primaryPartyAuthentication: false,
    });
    expect((await admin().getUser(params("erna"))).user).toEqual(user);
    const grant = { ...params("erna"), body: { userId: "erna", rights: [act, readAny] } };
    expect(await admin().grantUserRights(grant)).toEqual({ newlyGrantedRights: [readAny] });
    expect(await admin().grantUserRights(grant)).toEqual({ newlyGrantedRights: [] });
    expect(await admin().listUserRights(params("erna"))).toEqual({ rights: [act, readAny] });
    const revoke = { ...params("erna"), body: { rights: [act] } };
    expect(await admin().revokeUserRights(revoke)).toEqual({ newlyRevokedRights: [act] });
    expect(await admin().revokeUserRights(revoke)).toEqual({ newlyRevokedRights: [] });
  });

  test("has a right the moment it is granted, and no longer once it is revoked", async () => {
    await admin().createUser({ body: { user: { id: "fritz" }, rights: [] } });
    const url = `${participant.url}/v2/parties`;
    const status = async () => (await call(url, { method: "GET", user: "fritz" })).status;
    const rights = [{ kind: { ParticipantAdmin: { value: {} } } }];
    expect(await status()).toBe(403);
    await admin().grantUserRights({ ...params("fritz"), body: { rights } });
    expect(await status()).toBe(200);
    await admin().revokeUserRights({ ...params("fritz"), body: { rights } });
    expect(await status()).toBe(403);
  });

  test("may be called by every symbol that is allowed", async () => {
    const id = "aZ0@^$.!`-#+'~_|:()";
    await admin().createUser({ body: { user: { id }, rights: [] } });
    expect((await admin().getUser(params(id))).user.id).toBe(id);
  });

  test("has at most 20,000 rights: with as many it gets no party, and none is made", async () => {
    const rights = Array.from({ length: 20_000 }, (_, i) => ({
      kind: { CanReadAs: { value: { party: `p${i}::x` } } },
    }));
    await admin().createUser({ body: { user: { id: "full" }, rights } });
    const refused = await refusalOf(admin().grantUserRights({ ...params("full"), body: { rights: [act] } }));
    expect(refused).toMatchObject({ status: 400, code: "TOO_MANY_USER_RIGHTS" });
    const body = { partyIdHint: "full", userId: "full" };
    expect(await refusalOf(allocate(body))).toMatchObject({ status: 400, code: "TOO_MANY_USER_RIGHTS" });
    const party = `full::${namespace}`;
    expect(await admin().getParties({ params: { party } })).toEqual({ partyDetails: [] });
    await admin().revokeUserRights({ ...params("full"), body: { rights: rights.slice(0, 1) } });
    expect((await allocate(body)).partyDetails.party).toBe(party);
    const { rights: kept } = await admin().listUserRights(params("full"));
    expect(kept).toHaveLength(20_000);
    expect(kept).toContainEqual({ kind: { CanActAs: { value: { party } } } });
  });

  test("with many rights may read as the parties that it has a right for, and no other", async () => {
    const rights = Array.from({ length: 150 }, (_, i) => ({
      kind: { CanReadAs: { value: { party: `many${i}::x` } } },
    }));
    await admin().createUser({ body: { user: { id: "many" }, rights } });
    const asked = (...parties: readonly string[]) =>
      participant.as("many").listActiveContracts({
        body: {
          activeAtOffset: 0,
          eventFormat: { filtersByParty: Object.fromEntries(parties.map((party) => [party, {}])) },
        },
      });
    expect(await asked("many0::x", "many149::x")).toEqual([]);
    const all = rights.map(({ kind }) => kind.CanReadAs.value.party);
    expect(await asked(...all)).toEqual([]);
    expect(await refusalOf(asked(...all, "other::x"))).toMatchObject({ status: 403 });
    await admin().revokeUserRights({ ...params("many"), body: { rights: rights.slice(149) } });
    expect(await refusalOf(asked("many149::x"))).toMatchObject({ status: 403 });
    const anybody = participant.as("many").listActiveContracts({
      body: { activeAtOffset: 0, eventFormat: { filtersForAnyParty: {} } },
    });
    expect(await refusalOf(anybody)).toMatchObject({ status: 403 });
  });

  test.each([
    [{ user: null }, 400, "MISSING_FIELD"],
    [{ user: {} }, 400, "MISSING_FIELD"],
    [{ user: { id: "?" } }, 400, "INVALID_FIELD"],
    [{ user: { id: "a", primaryParty: "😀" } }, 400, "INVALID_ARGUMENT"],
    [{ user: { id: "a", metadata: { resourceVersion: "1" } } }, 400, "INVALID_ARGUMENT"],
    [
      { user: { id: "a" }, rights: [{ kind: { CanActAs: { value: { party: "" } } } }] },
      400,
      "INVALID_ARGUMENT",
    ],
    [{ user: { id: "a" }, rights: [{}] }, 400, "INVALID_ARGUMENT"],
    [{ user: { id: "a", identityProviderId: "idp" } }, 400, "INVALID_ARGUMENT"],
    [{ user: { id: ADMIN } }, 409, "USER_ALREADY_EXISTS"],
  ])("is refused with %j", async (body, status, code) => {
    expect(await refusalOf(admin().createUser({ body: body as never }))).toMatchObject({ status, code });
  });

  test("that does not exist is not found", async () => {
    for (const asked of [
      () => admin().getUser(params("nobody")),
      () => admin().listUserRights(params("nobody")),
      () => admin().grantUserRights({ ...params("nobody"), body: {} }),
      () => admin().revokeUserRights({ ...params("nobody"), body: {} }),
    ]) {
      expect(await refusalOf(asked())).toMatchObject({ status: 404, code: "USER_NOT_FOUND" });
    }
  });

  test("cannot give up being an administrator", async () => {
    const rights = [{ kind: { ParticipantAdmin: { value: {} } } }];
    const refused = await refusalOf(admin().revokeUserRights({ ...params(ADMIN), body: { rights } }));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });
});

test("the version is one that clients accept, and health tells whether the participant follows its network", async () => {
  const { version, features } = await participant.as(null).getVersion();
  expect(version).toMatch(/^3\.5\./);
  expect(features.userManagement).toEqual({
    supported: true,
    maxRightsPerUser: 20_000,
    maxUsersPageSize: 1000,
  });
  expect(await participant.as(null).isReady()).toBe("[+] ledger ok (SERVING)\nreadyz check passed\n");
  expect((await call(`${participant.url}/livez`, { method: "GET" })).text).toBe("");
  const { participantId } = await participant.admin.getParticipantId();
  expect(participantId).toBe(participant.participantId);
});

test("a participant without its network says so, and is not ready", async () => {
  const lonely = await newParticipant(["http://127.0.0.1:9"]);
  expect(await call(`${lonely.url}/readyz`, { method: "GET" })).toMatchObject({
    status: 503,
    text: "[-] ledger failed (NOT_SERVING)\nreadyz check failed\n",
  });
  const refused = await refusalOf(lonely.admin.allocateParty({ body: {} }));
  expect(refused).toMatchObject({ status: 400, code: "PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER" });
});
