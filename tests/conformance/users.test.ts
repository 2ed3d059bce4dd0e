/** UserManagementServiceIT. Titles begin with the upstream tests' names. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Right } from "../../packages/api/src/index.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { call } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { newParticipant } from "../support/participants.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile({ ...OPEN, adminUsers: [] });

const admin: Right = { kind: { ParticipantAdmin: { value: {} } } };
const actAs = (party: string): Right => ({ kind: { CanActAs: { value: { party } } } });
const readAs = (party: string): Right => ({ kind: { CanReadAs: { value: { party } } } });
const byId = (id: string) => ({ params: { "user-id": id } });

async function create(user: object = {}, rights: Right[] = []) {
  const body = { user: { id: fresh("user"), ...user }, rights };
  return (await ledger.open.createUser({ body })).user;
}

const grant = async (userId: string, rights: Right[]) =>
  (await ledger.open.grantUserRights({ ...byId(userId), body: { userId, rights } })).newlyGrantedRights;
const revoke = async (userId: string, rights: Right[]) =>
  (await ledger.open.revokeUserRights({ ...byId(userId), body: { userId, rights } })).newlyRevokedRights;
const rightsOf = async (id: string) => (await ledger.open.listUserRights(byId(id))).rights;
const read = async (id: string) => (await ledger.open.getUser(byId(id))).user;
const ten = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: 10 }, work));

test("TestAdminExists", async () => {
  expect(await read("participant_admin")).toMatchObject({ primaryParty: "", isDeactivated: false });
  expect(await rightsOf("participant_admin")).toEqual([admin]);
});

test("the first administrator is created once, and a deletion or change of it lasts", async () => {
  const dataFolder = temporaryFolder();
  const options = { ...OPEN, dataFolder, adminUsers: ["operator"] };
  const before = await newParticipant(["http://127.0.0.1:9"], options);
  await before.as(null).deleteUser(byId("participant_admin"));
  const body = {
    user: { id: "operator", metadata: { annotations: { k: "v" } } },
    updateMask: { paths: ["metadata"] },
  };
  const { user } = await before.as(null).updateUser({ ...byId("operator"), body });
  await before.close();
  const after = (await newParticipant(["http://127.0.0.1:9"], options)).as(null);
  expect((await after.listUsers({ query: {} })).users).toEqual([user]);
  expect(await after.listUserRights(byId("operator"))).toEqual({ rights: [admin] });
});

describe("creation", () => {
  test("TestCreateUser", async () => {
    const id = fresh("created");
    const user = await create({ id, primaryParty: "p::1220", metadata: { annotations: { k: "v" } } }, [
      admin,
    ]);
    expect(user).toEqual({
      id,
      primaryParty: "p::1220",
      isDeactivated: false,
      metadata: { resourceVersion: "0", annotations: { k: "v" } },
      identityProviderId: "",
      primaryPartyAuthentication: false,
    });
    expect(await read(id)).toEqual(user);
    const failure = await expectFailure(create({ id }), "USER_ALREADY_EXISTS");
    expect([failure.status, failure.resources]).toEqual([409, [["USER", id]]]);
    expect(await ledger.open.deleteUser(byId(id))).toEqual({});
    await expectFailure(read(id), "USER_NOT_FOUND");
  });

  test("TestPrimaryPartyAuthenticationCreateUser", async () => {
    const { id } = await create({ primaryPartyAuthentication: true });
    expect((await read(id)).primaryPartyAuthentication).toBe(true);
  });

  test("TestInvalidResourceVersionInCreateUser", async () => {
    const failed = create({ metadata: { resourceVersion: "1" } });
    await expectFailure(failed, "INVALID_ARGUMENT", "user.metadata.resource_version");
  });

  test.each([
    [{ id: "" }, [], "MISSING_FIELD", "user.id"],
    [{ id: "?" }, [], "INVALID_FIELD", 'User ID "?" does not match regex'],
    [{ primaryParty: "party-!!" }, [], "INVALID_ARGUMENT", "non expected character 0x21"],
    [{}, [actAs("party-!!")], "INVALID_ARGUMENT", "non expected character 0x21"],
    [{}, [readAs("party-!!")], "INVALID_ARGUMENT", "non expected character 0x21"],
    [
      {},
      [{ kind: { CanExecuteAs: { value: { party: "" } } } }],
      "INVALID_ARGUMENT",
      "Daml-LF Party is empty",
    ],
    [{ identityProviderId: "unknown" }, [], "INVALID_ARGUMENT", "has not been found"],
    [{ identityProviderId: "!" }, [], "INVALID_TOKEN", "identity_provider_id"],
  ])("UserManagementCreateUserInvalidArguments: %j", async (user, rights, code, words) => {
    await expectFailure(create(user, rights), code, words);
  });

  test("without a user in the request is refused", async () => {
    const failure = failureIn(await call(`${ledger.participant.url}/v2/users`, { body: {} }));
    expect([failure.code, failure.context["field_name"]]).toEqual(["MISSING_FIELD", "user"]);
  });

  test("RaceConditionCreateUsers", async () => {
    const id = fresh("race");
    const all = await ten(() => create({ id }));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of all) {
      if (each.status === "rejected") {
        await expectFailure(Promise.reject(each.reason), "USER_ALREADY_EXISTS");
      }
    }
  });
});

describe("lookups", () => {
  test("TestGetUser", async () => {
    const user = await create();
    expect(await read(user.id)).toEqual(user);
    const failure = await expectFailure(read("unknown"), "USER_NOT_FOUND");
    expect([failure.status, failure.resources]).toEqual([404, [["USER", "unknown"]]]);
  });

  test("UserManagementGetUserInvalidArguments", async () => {
    // Without an id it is the caller who is asked for, and here there is none.
    await expectFailure(ledger.open.getAuthenticatedUser(), "INVALID_TOKEN", "missing a user-id");
    for (const path of ["/v2/users/%3F", "/v2/users/%3F/rights", `/v2/users/${"u".repeat(129)}`]) {
      const failure = failureIn(await call(ledger.participant.url + path, { method: "GET" }));
      expect([failure.status, failure.code, failure.context]).toEqual([400, "INVALID_ARGUMENT", {}]);
      expect(failure.cause).toMatch(/Malformed user-id: User ID "[?u]+" does not match regex/);
    }
  });

  test("every legal symbol of an id comes back through the path", async () => {
    const id = "aZ09@^$.!`-#+'~_|:()";
    await create({ id });
    expect((await read(id)).id).toBe(id);
    expect(await grant(id, [admin])).toEqual([admin]);
    expect(await rightsOf(id)).toEqual([admin]);
    const body = { user: { id, isDeactivated: true }, updateMask: { paths: ["is_deactivated"] } };
    expect((await ledger.open.updateUser({ ...byId(id), body })).user.isDeactivated).toBe(true);
    expect(await ledger.open.deleteUser(byId(id))).toEqual({});
  });
});

describe("deletion", () => {
  test("TestDeleteUser", async () => {
    const { id } = await create({}, [admin]);
    const answer = await call(`${ledger.participant.url}/v2/users/${id}`, { method: "DELETE" });
    expect([answer.status, answer.text]).toEqual([200, "{}"]);
    await expectFailure(ledger.open.deleteUser(byId(id)), "USER_NOT_FOUND");
    // A new user with the same id has none of the rights.
    await create({ id });
    expect(await rightsOf(id)).toEqual([]);
  });

  test("RaceConditionDeleteUsers", async () => {
    const { id } = await create();
    const all = await ten(() => ledger.open.deleteUser(byId(id)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of all) {
      if (each.status === "rejected") await expectFailure(Promise.reject(each.reason), "USER_NOT_FOUND");
    }
  });
});

describe("rights", () => {
  test("TestGrantUserRights, TestRevokeUserRights, TestListUserRights", async () => {
    const { id, metadata } = await create({}, [actAs("a::1220")]);
    const [a, b] = [actAs("a::1220"), readAs("b::1220")];
    expect(await grant(id, [a, b, b])).toEqual([b]);
    expect(await grant(id, [a, b])).toEqual([]);
    expect(await rightsOf(id)).toEqual(expect.arrayContaining([a, b]));
    expect(await revoke(id, [b, admin])).toEqual([b]);
    expect(await revoke(id, [b])).toEqual([]);
    expect(await rightsOf(id)).toEqual([a]);
    // A change of rights is no change of the user.
    expect((await read(id)).metadata).toEqual(metadata);
    await expectFailure(grant("unknown", [a]), "USER_NOT_FOUND");
    await expectFailure(revoke("unknown", [a]), "USER_NOT_FOUND");
    await expectFailure(rightsOf("unknown"), "USER_NOT_FOUND");
  });

  test("every kind is granted, listed and revoked", async () => {
    const party = "p::1220";
    const every: Right[] = [
      actAs(party),
      readAs(party),
      { kind: { CanExecuteAs: { value: { party } } } },
      { kind: { CanReadAsAnyParty: { value: {} } } },
      { kind: { CanExecuteAsAnyParty: { value: {} } } },
      { kind: { IdentityProviderAdmin: { value: {} } } },
      admin,
    ];
    const { id } = await create();
    expect(await grant(id, every)).toEqual(every);
    expect(await rightsOf(id)).toEqual(expect.arrayContaining(every));
    expect(await revoke(id, every)).toHaveLength(every.length);
    expect(await rightsOf(id)).toEqual([]);
  });

  test("TestGrantTheEmptyRight", async () => {
    const { id } = await create();
    await expectFailure(grant(id, [{ kind: { Empty: {} } }]), "INVALID_ARGUMENT", "unknown kind of right");
    const body = { userId: id, rights: [{}] };
    await expectFailure(ledger.open.grantUserRights({ ...byId(id), body }), "INVALID_ARGUMENT");
  });

  test("TestGrantingAndRevokingEmptyListOfRights", async () => {
    const { id } = await create();
    expect([await grant(id, []), await revoke(id, [])]).toEqual([[], []]);
  });

  test("UserManagementUserRightsLimit", async () => {
    const { features } = await ledger.open.getVersion();
    const limit = features.userManagement.maxRightsPerUser;
    const many = Array.from({ length: limit + 1 }, (_, i) => actAs(`p${i}::1220`));
    const id = fresh("many");
    await expectFailure(create({ id }, many), "TOO_MANY_USER_RIGHTS");
    await expectFailure(read(id), "USER_NOT_FOUND");
    await create({ id }, many.slice(0, limit));
    const failure = await expectFailure(grant(id, many.slice(limit)), "TOO_MANY_USER_RIGHTS");
    expect([failure.status, failure.errorCategory]).toEqual([400, 9]);
    expect(await rightsOf(id)).toHaveLength(limit);
    const few = await create({}, [admin]);
    await expectFailure(grant(few.id, many.slice(0, limit)), "TOO_MANY_USER_RIGHTS");
    expect(await rightsOf(few.id)).toEqual([admin]);
  });

  test("RaceConditionGrantRights, RaceConditionRevokeRights", async () => {
    const { id } = await create();
    const right = actAs("race::1220");
    const counts = (all: PromiseSettledResult<Right[]>[]) =>
      all.map((each) => (each.status === "fulfilled" ? each.value.length : -1)).sort();
    expect(counts(await ten(() => grant(id, [right])))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(counts(await ten(() => revoke(id, [right])))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test("a path and a body of two users are refused", async () => {
    const { id } = await create();
    for (const [method, path] of [
      ["POST", "rights"],
      ["PATCH", "rights"],
      ["PATCH", "identity-provider-id"],
    ] as const) {
      const url = `${ledger.participant.url}/v2/users/${id}/${path}`;
      const failure = failureIn(await call(url, { method, body: { userId: "another" } }));
      expect([failure.code, failure.context]).toEqual(["INVALID_ARGUMENT", {}]);
      expect(failure.cause).toContain(`${id} does not match user in body another`);
    }
  });
});

describe("pages", () => {
  const page = async (query: { pageSize?: number; pageToken?: string }) => {
    const { users, nextPageToken } = await ledger.open.listUsers({ query });
    return { ids: users.map(({ id }) => id), users, nextPageToken };
  };

  test("TestListUsersVisibilityOfNewUserWhenCreatedBeforePage", async () => {
    await create({ id: "!b" });
    const before = (await page({ pageSize: 5 })).ids;
    const made = await create({ id: "!a" });
    const after = await page({ pageSize: 6 });
    expect(after.ids.slice(0, before.length + 1)).toEqual(["!a", ...before]);
    expect(after.users[0]).toEqual(made);
  });

  test("TestListUsersPreviouslyNonExistentUser: the next page stays as it is", async () => {
    for (const id of ["!e", "!f", "!g", "!h"]) await create({ id });
    const { nextPageToken } = await page({ pageSize: 3 });
    const second = await page({ pageSize: 3, pageToken: nextPageToken });
    await create({ id: "!!" });
    expect(await page({ pageSize: 3, pageToken: nextPageToken })).toEqual(second);
  });

  test("TestListUsersAllPages: each user once, ordered by the bytes of the id", async () => {
    for (const id of ["Z-order", "a-order", "~order"]) await create({ id });
    const all: string[] = [];
    let pageToken = "";
    do {
      const next = await page({ pageSize: 7, pageToken });
      all.push(...next.ids);
      pageToken = next.nextPageToken;
    } while (pageToken !== "");
    expect(all).toEqual([...new Set(all)].sort());
    expect(all).toEqual(expect.arrayContaining(["Z-order", "a-order", "~order", "participant_admin"]));
  });

  test("TestListUsersRequestInvalidArguments", async () => {
    for (const pageToken of [randomUUID(), "CgE_", "not base64!", "CgFhCgFi"]) {
      await expectFailure(page({ pageToken }), "INVALID_ARGUMENT", "Invalid page token");
    }
    await expectFailure(page({ pageSize: -100 }), "INVALID_ARGUMENT", "Max page size must be non-negative");
  });

  test("TestListUsersRequestPageSizeZero", async () => {
    const [first] = (await page({ pageSize: 1 })).ids;
    expect((await page({ pageSize: 0 })).ids[0]).toBe(first);
    expect((await page({})).ids[0]).toBe(first);
  });

  test("TestMaxUsersPageSize", async () => {
    const { features } = await ledger.open.getVersion();
    const max = features.userManagement.maxUsersPageSize;
    const { ids } = await page({ pageSize: max + 1 });
    const missing = Math.max(0, max + 1 - ids.length);
    const names = Array.from({ length: missing }, (_, i) => `x-filler-${i}`);
    await Promise.all(names.map((id) => create({ id })));
    const clamped = await page({ pageSize: max + 1 });
    expect(clamped.ids).toHaveLength(max);
    expect(clamped.nextPageToken).not.toBe("");
  });
});
