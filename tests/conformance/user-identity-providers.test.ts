/** UserManagementUpdateUserIdp* and what an identity provider's admin may do with users. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Right } from "../../packages/api/src/index.ts";
import { fresh } from "../support/fresh.ts";
import { expectDenied, expectFailure } from "./failure.ts";
import { IDP_ADMIN, startIdentityProvider, type TestIdentityProvider } from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
let one: TestIdentityProvider;
let two: TestIdentityProvider;

beforeAll(async () => {
  one = await startIdentityProvider(ledger.participant, "idp-1", ledger.atEnd);
  two = await startIdentityProvider(ledger.participant, "idp-#:-_ 2/x", ledger.atEnd);
  await one.addUser("admin-of-1", [IDP_ADMIN]);
  await two.addUser("admin-of-2", [IDP_ADMIN]);
});

const byId = (id: string) => ({ params: { "user-id": id } });
const admin: Right = { kind: { ParticipantAdmin: { value: {} } } };
const actAs = (party: string): Right => ({ kind: { CanActAs: { value: { party } } } });

async function userOf(identityProviderId: string): Promise<string> {
  const user = { id: fresh("user"), identityProviderId };
  return (await ledger.admin.createUser({ body: { user, rights: [] } })).user.id;
}

const move = (userId: string, source: string, target: string) =>
  ledger.admin.updateUserIdentityProviderId({
    ...byId(userId),
    body: { userId, sourceIdentityProviderId: source, targetIdentityProviderId: target },
  });
const read = async (id: string, identityProviderId: string) =>
  (await ledger.admin.getUser({ ...byId(id), query: { "identity-provider-id": identityProviderId } })).user;

describe("moves", () => {
  test("UserManagementUpdateUserIdpNonDefaultIdps, UserManagementUpdateUserIdpWithDefaultIdp", async () => {
    const id = await userOf("");
    const route = ["", one.id, two.id, ""];
    for (const [i, source] of route.slice(0, -1).entries()) {
      const target = route[i + 1] ?? "";
      expect(await move(id, source, target)).toEqual({});
      expect(await read(id, target)).toMatchObject({ id, identityProviderId: target });
      await expectDenied(read(id, source));
    }
    // A move is no change of the user's metadata.
    expect((await read(id, "")).metadata?.resourceVersion).toBe("0");
  });

  test("UserManagementUpdateUserIdpNonExistentIdps", async () => {
    const id = await userOf("");
    await expectFailure(move(id, "unknown", ""), "INVALID_ARGUMENT", "identity_provider_id unknown");
    await expectFailure(move(id, "", "unknown"), "INVALID_ARGUMENT", "identity_provider_id unknown");
    await expectFailure(move(id, "!", ""), "INVALID_FIELD", "source_identity_provider_id");
    await expectFailure(move(id, "", "!"), "INVALID_FIELD", "target_identity_provider_id");
    await expectFailure(move("nobody", "", one.id), "USER_NOT_FOUND");
  });

  test("UserManagementUpdateUserIdpMismatchedSourceIdp", async () => {
    const id = await userOf(one.id);
    await expectDenied(move(id, two.id, ""));
    await expectDenied(move(id, "", two.id));
    expect((await read(id, one.id)).identityProviderId).toBe(one.id);
  });

  test("UserManagementUpdateUserIdpSourceAndTargetIdpTheSame", async () => {
    const id = await userOf(one.id);
    await move(id, one.id, one.id);
    expect((await read(id, one.id)).identityProviderId).toBe(one.id);
  });

  test("a moved user's old token is worth nothing", async () => {
    const client = await one.addUser("mover", []);
    expect((await client.getAuthenticatedUser()).user.id).toBe("mover");
    await move("mover", one.id, two.id);
    await expectDenied(client.getAuthenticatedUser());
    expect((await two.client("mover").getAuthenticatedUser()).user.identityProviderId).toBe(two.id);
  });
});

describe("an identity provider's admin", () => {
  const client = () => one.client("admin-of-1");

  test("makes users of their own, also when they name none", async () => {
    for (const identityProviderId of ["", one.id]) {
      const body = { user: { id: fresh("own"), identityProviderId }, rights: [] };
      expect((await client().createUser({ body })).user.identityProviderId).toBe(one.id);
    }
    const body = { user: { id: fresh("own"), identityProviderId: two.id }, rights: [] };
    await expectDenied(client().createUser({ body }));
    // The participant's admin stays with the default one.
    const own = await ledger.admin.createUser({ body: { user: { id: fresh("own") }, rights: [] } });
    expect(own.user.identityProviderId).toBe("");
  });

  test("sees, changes and deletes their own users, and no others", async () => {
    const mine = await userOf(one.id);
    const update = (id: string, identityProviderId = "") =>
      client().updateUser({
        ...byId(id),
        body: { user: { id, identityProviderId }, updateMask: { paths: ["id"] } },
      });
    expect((await client().getUser(byId(mine))).user.id).toBe(mine);
    expect((await update(mine)).user.id).toBe(mine);
    expect(await client().listUserRights(byId(mine))).toEqual({ rights: [] });
    for (const other of [await userOf(two.id), await userOf(""), "admin-of-2"]) {
      await expectDenied(client().getUser(byId(other)));
      await expectDenied(client().getUser({ ...byId(other), query: { "identity-provider-id": two.id } }));
      await expectDenied(client().listUserRights(byId(other)));
      await expectDenied(update(other));
      await expectDenied(update(other, two.id));
      await expectDenied(client().deleteUser(byId(other)));
      await expectDenied(client().grantUserRights({ ...byId(other), body: { userId: other } }));
      await expectDenied(client().revokeUserRights({ ...byId(other), body: { userId: other } }));
      await expectDenied(client().createUser({ body: { user: { id: other }, rights: [] } }));
    }
    expect(await client().deleteUser(byId(mine))).toEqual({});
    await expectFailure(client().deleteUser(byId(mine)), "USER_NOT_FOUND");
    await expectDenied(client().updateUserIdentityProviderId({ ...byId(mine), body: { userId: mine } }));
  });

  test("lists its own users, and the participant's admin the users of the default provider", async () => {
    await userOf("");
    const listed = async (who: ReturnType<typeof client>) => {
      const { users } = await who.listUsers({ query: {} });
      return new Set(users.map(({ identityProviderId }) => identityProviderId));
    };
    expect(await listed(client())).toEqual(new Set([one.id]));
    expect(await listed(two.client("admin-of-2"))).toEqual(new Set([two.id]));
    expect(await listed(ledger.admin)).toEqual(new Set([""]));
  });

  test("hands out rights for parties of their own only", async () => {
    const mine = await userOf(one.id);
    const allocate = async (identityProviderId: string) => {
      const body = { partyIdHint: fresh("party"), identityProviderId };
      return (await ledger.admin.allocateParty({ body })).partyDetails.party;
    };
    const grant = (rights: Right[]) =>
      client().grantUserRights({ ...byId(mine), body: { userId: mine, rights } });
    const own = await allocate(one.id);
    expect(await grant([actAs(own)])).toEqual({ newlyGrantedRights: [actAs(own)] });
    for (const party of [await allocate(two.id), await allocate(""), "unknown::1220"]) {
      for (const kind of ["CanActAs", "CanReadAs", "CanExecuteAs"]) {
        const right = { kind: { [kind]: { value: { party } } } } as Right;
        const failure = await expectFailure(grant([actAs(own), right]), "UNKNOWN_RESOURCE", party);
        expect([failure.status, failure.resources]).toEqual([404, [["PARTIES", party]]]);
        const body = { user: { id: fresh("none") }, rights: [right] };
        await expectFailure(client().createUser({ body }), "UNKNOWN_RESOURCE");
        const revoking = client().revokeUserRights({
          ...byId(mine),
          body: { userId: mine, rights: [right] },
        });
        await expectFailure(revoking, "UNKNOWN_RESOURCE", party);
      }
    }
    await expectDenied(grant([admin]));
    await expectDenied(grant([{ kind: { CanReadAsAnyParty: { value: {} } } }]));
    await expectDenied(grant([{ kind: { CanExecuteAsAnyParty: { value: {} } } }]));
    expect(await client().listUserRights(byId(mine))).toEqual({ rights: [actAs(own)] });
    const revoke = { userId: mine, rights: [actAs(own)] };
    const revoked = await client().revokeUserRights({ ...byId(mine), body: revoke });
    expect(revoked).toEqual({ newlyRevokedRights: [actAs(own)] });
  });

  test("cannot delete or deactivate themselves", async () => {
    await expectFailure(client().deleteUser(byId("admin-of-1")), "INVALID_ARGUMENT", "themselves");
    const user = { id: "admin-of-1", isDeactivated: true };
    const body = { user, updateMask: { paths: ["is_deactivated"] } };
    const failed = client().updateUser({ ...byId("admin-of-1"), body });
    await expectFailure(failed, "INVALID_ARGUMENT", "themselves");
  });
});

test("the default identity provider has no admin of its own", async () => {
  const id = fresh("default");
  await ledger.admin.createUser({ body: { user: { id }, rights: [IDP_ADMIN] } });
  await expectDenied(ledger.participant.as(id).listUsers({ query: {} }));
});
