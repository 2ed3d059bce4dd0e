/** Rights of an identity provider's users and of its admin. */
import { beforeAll, describe, expect, test } from "vitest";
import type { IdentityProviderConfig, Right, User } from "../../packages/api/src/index.ts";
import { newSigner, type Signer, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { fresh } from "../support/fresh.ts";
import { ADMIN, tokenFor } from "../support/participants.ts";
import { failureIn } from "./failure.ts";
import { IDP_ADMIN, newUser, PARTICIPANT_ADMIN, partyOf, scoped, send } from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
let signer: Signer;
let own: IdentityProviderConfig;
let other: IdentityProviderConfig;
let party: string;
/** Of the first identity provider. */
const users: Record<"admin" | "participantAdmin" | "actor" | "plain", string> = {
  admin: "",
  participantAdmin: "",
  actor: "",
  plain: "",
};
type Name = keyof typeof users;

const act = (of: string): Right => ({ kind: { CanActAs: { value: { party: of } } } });

beforeAll(async () => {
  signer = await newSigner();
  const { url: jwksUrl } = await startKeyServer([signer.publicJwk], {}, ledger.atEnd);
  const make = async () => {
    const identityProviderId = fresh("idp");
    const identityProviderConfig = { identityProviderId, issuer: `https://${identityProviderId}/`, jwksUrl };
    return (await ledger.admin.createIdentityProviderConfig({ body: { identityProviderConfig } }))
      .identityProviderConfig;
  };
  [own, other] = [await make(), await make()];
  const id = own.identityProviderId;
  party = (await partyOf(ledger, id)).party;
  users.admin = await newUser(ledger, id, [IDP_ADMIN]);
  users.participantAdmin = await newUser(ledger, id, [PARTICIPANT_ADMIN]);
  users.actor = await newUser(ledger, id, [act(party)]);
  users.plain = await newUser(ledger, id, []);
});

async function statusOf(user: Name, method: string, path: string, body?: unknown): Promise<number> {
  const answer = await sendAs(user, method, path, body);
  if (answer.status !== 200) failureIn(answer);
  return answer.status;
}

async function sendAs(user: Name, method: string, path: string, body?: unknown) {
  return send(ledger, await signer.sign(scoped(own, users[user])), { method, path, body });
}

/** The same request about no identity provider in particular, the caller's own, and another. */
async function statuses(user: Name, path: (id: string) => string): Promise<readonly number[]> {
  const ids = ["", own.identityProviderId, other.identityProviderId];
  return Promise.all(ids.map((id) => statusOf(user, "GET", path(id))));
}

describe("the identity provider that a request names", () => {
  const query = (id: string) => (id === "" ? "" : `identity-provider-id=${id}`);

  test.each([
    ["themselves", "plain", [200, 200, 403]],
    ["themselves, as an admin", "admin", [200, 200, 403]],
    ["themselves, as a participant admin", "participantAdmin", [403, 200, 403]],
  ] as const)("users look up %s", async (_, user, expected) => {
    expect(await statuses(user, (id) => `/v2/authenticated-user?${query(id)}`)).toEqual(expected);
    expect(await statuses(user, (id) => `/v2/users/${users[user]}?${query(id)}`)).toEqual(expected);
  });

  test("is said in words that can be one", async () => {
    const path = "/v2/authenticated-user?identity-provider-id=no%20such!";
    const refused = failureIn(await sendAs("plain", "GET", path));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
  });

  test("others are looked up by the admin alone, within it", async () => {
    expect(await statusOf("plain", "GET", `/v2/users/${users.actor}`)).toBe(403);
    expect(await statuses("admin", (id) => `/v2/users/${users.actor}?${query(id)}`)).toEqual([200, 200, 403]);
    expect(await statusOf("admin", "GET", `/v2/users/${ADMIN}`)).toBe(403);
  });

  test("parties are looked up by users that may act for them", async () => {
    const path = (id: string) => `/v2/parties/${encodeURIComponent(party)}?${query(id)}`;
    expect(await statuses("actor", path)).toEqual([200, 200, 403]);
    expect(await statuses("plain", path)).toEqual([403, 403, 403]);
  });

  test("synchronizers of a party are looked up by users that may act for it, and without a party by every user", async () => {
    const path = (id: string) =>
      `/v2/state/connected-synchronizers?party=${encodeURIComponent(party)}&identityProviderId=${id}`;
    expect(await statuses("actor", path)).toEqual([200, 200, 403]);
    expect(await statuses("plain", path)).toEqual([403, 403, 403]);
    const open = (id: string) => `/v2/state/connected-synchronizers?identityProviderId=${id}`;
    expect(await statuses("plain", open)).toEqual([200, 200, 200]);
  });
});

describe("the admin of an identity provider", () => {
  test("neither sees nor changes identity providers", async () => {
    const config = { ...own, audience: "changed" };
    const path = `/v2/idps/${own.identityProviderId}`;
    const move = { userId: users.plain, sourceIdentityProviderId: own.identityProviderId };
    for (const [method, where, body] of [
      ["GET", "/v2/idps", undefined],
      ["GET", path, undefined],
      ["POST", "/v2/idps", { identityProviderConfig: { ...config, identityProviderId: fresh("idp") } }],
      ["PATCH", path, { identityProviderConfig: config, updateMask: { paths: ["audience"] } }],
      ["DELETE", path, undefined],
      ["PATCH", `/v2/users/${users.plain}/identity-provider-id`, move],
    ] as const) {
      expect([where, await statusOf("admin", method, where, body)]).toEqual([where, 403]);
    }
    const { identityProviderConfig } = await ledger.admin.getIdentityProviderConfig({
      params: { "idp-id": own.identityProviderId },
    });
    expect(identityProviderConfig).toEqual(own);
  });

  test("makes users there and nowhere else", async () => {
    const make = (user: object) => sendAs("admin", "POST", "/v2/users", { user, rights: [] });
    const made = await make({ id: fresh("made") });
    expect((made.json as { user: User }).user.identityProviderId).toBe(own.identityProviderId);
    expect((await make({ id: fresh("made"), identityProviderId: own.identityProviderId })).status).toBe(200);
    const refused = await make({ id: fresh("made"), identityProviderId: other.identityProviderId });
    expect(failureIn(refused).status).toBe(403);
  });

  test("lists the users there are", async () => {
    const { users: listed } = (await sendAs("admin", "GET", "/v2/users")).json as { users: User[] };
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.values(users)));
    expect(new Set(listed.map((user) => user.identityProviderId))).toEqual(new Set([own.identityProviderId]));
  });

  test.each([
    ["ParticipantAdmin", { ParticipantAdmin: { value: {} } }, 403],
    ["CanReadAsAnyParty", { CanReadAsAnyParty: { value: {} } }, 403],
    ["CanExecuteAsAnyParty", { CanExecuteAsAnyParty: { value: {} } }, 403],
    ["IdentityProviderAdmin", { IdentityProviderAdmin: { value: {} } }, 200],
    ["no right", null, 200],
  ])("grants and revokes %s, or may not", async (_, kind, status) => {
    const userId = await newUser(ledger, own.identityProviderId, []);
    const rights = kind === null ? [] : [{ kind }];
    const body = { userId, rights };
    const path = `/v2/users/${userId}/rights`;
    expect(await statusOf("admin", "POST", path, body)).toBe(status);
    const granted = (await sendAs("admin", "GET", path)).json;
    expect(granted).toEqual({ rights: status === 200 ? rights : [] });
    expect(await statusOf("admin", "PATCH", path, body)).toBe(status);
    const user = { id: fresh("made") };
    expect(await statusOf("admin", "POST", "/v2/users", { user, rights })).toBe(status);
    const { rights: left } = (await sendAs("admin", "GET", path)).json as { rights: Right[] };
    expect(left).toEqual([]);
  });

  test("reads no contract and no completion", async () => {
    const contract = { contractId: `00${"17".repeat(32)}`, queryingParties: [party] };
    expect(await statusOf("admin", "POST", "/v2/contracts/contract-by-id", contract)).toBe(403);
    expect(await statusOf("admin", "POST", "/v2/commands/command-completions", { parties: [party] })).toBe(
      403,
    );
  });
});

test("contracts and completions of every party need the right to read as any party", async () => {
  const contractId = `00${"17".repeat(32)}`;
  const ask = (queryingParties: string[]) =>
    statusOf("actor", "POST", "/v2/contracts/contract-by-id", { contractId, queryingParties });
  expect([await ask([party]), await ask([])]).toEqual([404, 403]);
  const path = "/v2/commands/command-completions?stream_idle_timeout_ms=1";
  const completions = (parties: string[]) => statusOf("actor", "POST", path, { parties });
  expect([await completions([party]), await completions([])]).toEqual([200, 403]);
  const reader = await newUser(ledger, "", [{ kind: { CanReadAsAnyParty: { value: {} } } }]);
  const token = await tokenFor(reader);
  const any = { method: "POST", path: "/v2/contracts/contract-by-id", body: { contractId } };
  expect((await send(ledger, token, any)).status).toBe(404);
});
