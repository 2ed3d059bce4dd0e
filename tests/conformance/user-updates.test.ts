/** UserManagementServiceUpdateRpcIT, whose test names are the titles, and the order of the checks. */
import { describe, expect, test } from "vitest";
import { call } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { ADMIN } from "../support/participants.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});

const byId = (id: string) => ({ params: { "user-id": id } });

async function create(user: object = {}) {
  return (await ledger.admin.createUser({ body: { user: { id: fresh("user"), ...user }, rights: [] } })).user;
}

async function patch(id: string, paths: string[], changes: object = {}) {
  const body = { user: { id, ...changes }, updateMask: { paths } };
  return (await ledger.admin.updateUser({ ...byId(id), body })).user;
}

describe("UserManagementServiceUpdateRpcIT", () => {
  test("UpdateAllUpdatableFields", async () => {
    const { id } = await create({ metadata: { annotations: { k1: "v1", k2: "v2", k3: "v3" } } });
    const user = await patch(id, ["is_deactivated", "primary_party", "metadata"], {
      isDeactivated: true,
      primaryParty: "p::1220",
      metadata: { annotations: { k1: "v1a", k3: "", k4: "v4", k5: "" } },
    });
    expect(user).toEqual({
      id,
      primaryParty: "p::1220",
      isDeactivated: true,
      metadata: { resourceVersion: "1", annotations: { k1: "v1a", k2: "v2", k4: "v4" } },
      identityProviderId: "",
      primaryPartyAuthentication: false,
    });
    expect((await ledger.admin.getUser(byId(id))).user).toEqual(user);
  });

  test("UpdatePrimaryPartyUsingNonEmptyValue, UpdatePrimaryPartyUsingEmptyValue", async () => {
    const { id } = await create({ primaryParty: "a::1220" });
    expect((await patch(id, ["primary_party"], { primaryParty: "b::1220" })).primaryParty).toBe("b::1220");
    expect((await patch(id, ["primary_party"])).primaryParty).toBe("");
  });

  test("UpdateIsDeactivatedUsingNonEmptyValue, UpdateIsDeactivatedUsingEmptyValue", async () => {
    const { id } = await create();
    expect((await patch(id, ["is_deactivated"], { isDeactivated: true })).isDeactivated).toBe(true);
    expect((await patch(id, ["is_deactivated"])).isDeactivated).toBe(false);
  });

  test("UpdatePrimaryPartyAuthentication", async () => {
    const { id } = await create();
    const path = ["primary_party_authentication"];
    const on = await patch(id, path, { primaryPartyAuthentication: true });
    expect(on.primaryPartyAuthentication).toBe(true);
    expect((await ledger.admin.getUser(byId(id))).user.primaryPartyAuthentication).toBe(true);
    expect((await patch(id, path)).primaryPartyAuthentication).toBe(false);
  });

  test("InvalidUpdateRequestsInvalidUserIdSyntax", async () => {
    await expectFailure(patch("%%!!!", ["is_deactivated"]), "INVALID_FIELD", "user.id");
  });

  test("FailUpdateNonExistentUser", async () => {
    const failure = await expectFailure(patch("unknown", ["is_deactivated"]), "USER_NOT_FOUND");
    expect(failure.status).toBe(404);
  });

  test("fields outside the mask stay as they are", async () => {
    const { id } = await create({ primaryParty: "a::1220", isDeactivated: true });
    const user = await patch(id, ["id", "metadata", "identity_provider_id"], { primaryParty: "b::1220" });
    expect(user).toMatchObject({ primaryParty: "a::1220", isDeactivated: true });
  });
});

describe("the checks, in their order", () => {
  const url = (id: string) => `${ledger.participant.url}/v2/users/${encodeURIComponent(id)}`;
  const ask = async (id: string, body: unknown, user: string | null = ADMIN) =>
    failureIn(await call(url(id), { method: "PATCH", body, user }));
  const metadata = { resourceVersion: "x", annotations: { "a/b/c": "x".repeat(262_145) } };
  const broken = { primaryParty: "😀", identityProviderId: "unknown", metadata };

  test.each([
    ["the path and the body name two users", { id: "b", ...broken }, null, "INVALID_ARGUMENT"],
    ["there is no token", { id: "a", ...broken }, null, "NA"],
    [
      "the identity provider's name is none",
      { id: "a", ...broken, identityProviderId: "!" },
      ADMIN,
      "INVALID_TOKEN",
    ],
    ["there is no mask", { id: "a", ...broken }, ADMIN, "MISSING_FIELD"],
  ])("%s", async (_, user, caller, code) => {
    const failure = await ask("a", { user }, caller);
    expect(failure.code, failure.cause).toBe(code);
    expect(failure.status).toBe(code === "NA" ? 401 : 400);
  });

  test.each([
    ["the primary party", broken, [], "INVALID_ARGUMENT", "non expected character 0x1f600"],
    [
      "the version",
      { ...broken, primaryParty: "" },
      [],
      "INVALID_FIELD",
      "user.metadata.resource_version: Invalid resource version number",
    ],
    [
      "the annotations' size",
      { identityProviderId: "unknown", metadata: { annotations: metadata.annotations } },
      [],
      "INVALID_ARGUMENT",
      "'user.metadata.annotations' are larger than the limit of 256kb",
    ],
    [
      "a key",
      { identityProviderId: "unknown", metadata: { annotations: { "a/b/c": "" } } },
      [],
      "INVALID_ARGUMENT",
      "more than one forward slash",
    ],
    [
      "an empty mask",
      { identityProviderId: "unknown" },
      [],
      "INVALID_USER_UPDATE_REQUEST",
      "Update operation for user id 'unknown' failed due to: The update mask contains no entries",
    ],
    [
      "an unknown path",
      { identityProviderId: "unknown" },
      ["id", "id", "primaryParty"],
      "INVALID_USER_UPDATE_REQUEST",
      "'primaryParty' points to an unknown field",
    ],
    [
      "a path twice",
      { identityProviderId: "unknown" },
      ["id", "id"],
      "INVALID_USER_UPDATE_REQUEST",
      "'id' is duplicated",
    ],
    [
      "the identity provider",
      { identityProviderId: "unknown" },
      ["id"],
      "INVALID_ARGUMENT",
      "Provided identity_provider_id unknown has not been found.",
    ],
    ["the user", {}, ["id"], "USER_NOT_FOUND", "unknown"],
  ])("%s", async (_, user, paths, code, words) => {
    const failure = await ask("unknown", { user: { id: "unknown", ...user }, updateMask: { paths } });
    expect(failure.code, failure.cause).toBe(code);
    expect(failure.cause).toContain(words);
  });
});

describe("a user cannot", () => {
  test("deactivate or delete itself, or give up being an administrator", async () => {
    const words = "themselves";
    await expectFailure(patch(ADMIN, ["is_deactivated"], { isDeactivated: true }), "INVALID_ARGUMENT", words);
    await expectFailure(ledger.admin.deleteUser(byId(ADMIN)), "INVALID_ARGUMENT", words);
    const rights = [{ kind: { ParticipantAdmin: { value: {} } } }];
    const body = { userId: ADMIN, rights };
    await expectFailure(ledger.admin.revokeUserRights({ ...byId(ADMIN), body }), "INVALID_ARGUMENT");
    // Another administrator may, and being active again is no harm.
    await patch(ADMIN, ["is_deactivated"], { isDeactivated: false });
    const other = await create();
    await ledger.admin.grantUserRights({ ...byId(other.id), body: { userId: other.id, rights } });
    const client = ledger.participant.as(other.id);
    expect(await client.revokeUserRights({ ...byId(ADMIN), body })).toEqual({ newlyRevokedRights: rights });
    expect(await client.grantUserRights({ ...byId(ADMIN), body })).toEqual({ newlyGrantedRights: rights });
  });

  test("make calls after it was deactivated or deleted", async () => {
    const { id } = await create();
    const client = ledger.participant.as(id);
    expect((await client.getAuthenticatedUser()).user.id).toBe(id);
    await patch(id, ["is_deactivated"], { isDeactivated: true });
    const refused = async () =>
      failureIn(await call(`${ledger.participant.url}/v2/authenticated-user`, { method: "GET", user: id }));
    expect(await refused()).toMatchObject({ status: 403, context: { ledger_api_error: "invalid token" } });
    await patch(id, ["is_deactivated"]);
    expect((await client.getAuthenticatedUser()).user.id).toBe(id);
    await ledger.admin.deleteUser(byId(id));
    expect(await refused()).toMatchObject({ status: 403, context: { ledger_api_error: "invalid token" } });
  });
});
