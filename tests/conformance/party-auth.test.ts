/**
 * Authorization of updates of a party's details, as the upstream suite UpdatePartyDetailsAuthIT asserts it, with its bases for
 * admins and for admins of identity providers.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { PartyDetails } from "../../packages/api/src/index.ts";
import { newSigner, type Signer, startKeyServer } from "../../packages/node/testing/key-server.ts";
import type { RawAnswer } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { ADMIN, tokenFor } from "../support/participants.ts";
import { failureIn } from "./failure.ts";
import {
  IDP_ADMIN,
  newUser,
  now,
  PARTICIPANT_ADMIN,
  partyOf,
  patchParty,
  scoped,
  send,
  withProvider,
} from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
const { atEnd } = ledger;
/** Of the test's two identity providers; the third key belongs to nobody who is configured. */
let own: Signer;
let other: Signer;
let stranger: Signer;
let ownKeys: string;
let otherKeys: string;

beforeAll(async () => {
  [own, other, stranger] = [await newSigner("RS256"), await newSigner("RS256"), await newSigner("RS256")];
  ownKeys = (await startKeyServer([own.publicJwk], {}, atEnd)).url;
  otherKeys = (await startKeyServer([other.publicJwk], {}, atEnd)).url;
});

/** Allocates a party, if the caller may, and changes its details: what came of the first that failed, or of both. */
async function change(token: string | null, identityProviderId: string): Promise<RawAnswer> {
  const partyIdHint = fresh("some-party");
  const allocated = await send(ledger, token, {
    method: "POST",
    path: "/v2/parties",
    body: { partyIdHint, identityProviderId },
  });
  if (allocated.status !== 200) return allocated;
  const { partyDetails } = allocated.json as { partyDetails: PartyDetails };
  return patchParty(ledger, token, partyDetails);
}

async function expectRefused(token: string | null, identityProviderId: string, status: 401 | 403) {
  const details = await partyOf(ledger, identityProviderId);
  const refusals = [await change(token, identityProviderId), await patchParty(ledger, token, details)].map(
    failureIn,
  );
  for (const refusal of refusals) {
    expect([refusal.status, refusal.grpcCodeValue]).toEqual([status, status === 401 ? 16 : 7]);
  }
  return refusals;
}

describe("UpdatePartyDetailsAuthIT: admins", () => {
  test("allow calls with an admin", async () => {
    expect((await change(await tokenFor(ADMIN), "")).status).toBe(200);
    expect((await change(await tokenFor("participant_admin"), "")).status).toBe(200);
    expect((await change(await tokenFor(ADMIN, { exp: now() + 60 }), "")).status).toBe(200);
  });

  test("deny unauthenticated calls", async () => {
    await expectRefused(null, "", 401);
  });

  test("deny calls with an expired admin token", async () => {
    await expectRefused(await tokenFor(ADMIN, { exp: now() - 60 }), "", 401);
  });

  test("deny calls with an unknown user", async () => {
    for (const refusal of await expectRefused(await tokenFor(fresh("unknown")), "", 403)) {
      expect(refusal.context).toEqual({ ledger_api_error: "invalid token" });
    }
  });

  test("deny calls with a user who is not an admin", async () => {
    const { party } = await partyOf(ledger, "");
    const user = await newUser(ledger, "", [{ kind: { CanActAs: { value: { party } } } }]);
    await expectRefused(await tokenFor(user), "", 403);
  });

  test("deny calls with an IDP admin of the default identity provider", async () => {
    await expectRefused(await tokenFor(await newUser(ledger, "", [IDP_ADMIN])), "", 403);
  });
});

describe("UpdatePartyDetailsAuthIT: admins of identity providers", () => {
  test("allow IDP Admin to operate within own IDP", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const token = await own.sign(scoped(config, await newUser(ledger, id, [IDP_ADMIN])));
      expect((await change(token, id)).status).toBe(200);
      expect((await patchParty(ledger, token, await partyOf(ledger, id))).status).toBe(200);
    }));

  test("allow IDP Admin to operate within own IDP providing intended audience", () =>
    withProvider(ledger, { audience: "https://intended.example.com", jwksUrl: otherKeys }, async (config) => {
      const id = config.identityProviderId;
      const sub = await newUser(ledger, id, [IDP_ADMIN]);
      for (const aud of [config.audience, [config.audience, "more"]]) {
        expect((await change(await other.sign({ sub, iss: config.issuer, aud }), id)).status).toBe(200);
      }
    }));

  test("deny IDP Admin to operate within own IDP while missing intended audience", () =>
    withProvider(ledger, { audience: "https://intended.example.com", jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const sub = await newUser(ledger, id, [IDP_ADMIN]);
      await expectRefused(await own.sign({ sub, iss: config.issuer }), id, 401);
      await expectRefused(
        await own.sign({ sub, iss: config.issuer, aud: "https://wrong.example.com" }),
        id,
        401,
      );
      await expectRefused(await own.sign(scoped(config, sub)), id, 401);
    }));

  test("deny IDP Admin to operate within own IDP while missing issuer", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const { iss, ...claims } = scoped(config, await newUser(ledger, id, [IDP_ADMIN]));
      await expectRefused(await own.sign(claims), id, 401);
      await expectRefused(await own.sign({ ...claims, iss: `${iss}/another` }), id, 401);
    }));

  test("deny IDP Admin to operate within own IDP that has been deactivated", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const token = await own.sign(scoped(config, await newUser(ledger, id, [IDP_ADMIN])));
      expect((await change(token, id)).status).toBe(200);
      const deactivate = {
        identityProviderConfig: { ...config, isDeactivated: true },
        updateMask: { paths: ["is_deactivated"] },
      };
      const path = `/v2/idps/${id}`;
      // Not by themselves, though.
      expect(failureIn(await send(ledger, token, { method: "PATCH", path, body: deactivate })).status).toBe(
        403,
      );
      expect(
        (await send(ledger, await tokenFor(ADMIN), { method: "PATCH", path, body: deactivate })).status,
      ).toBe(200);
      await expectRefused(token, id, 401);
    }));

  test("deny IDP Admin to operate within own IDP that has been deleted", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const token = await own.sign(scoped(config, await newUser(ledger, id, [IDP_ADMIN])));
      const party = await partyOf(ledger, id);
      expect((await patchParty(ledger, token, party)).status).toBe(200);
      await ledger.admin.deleteIdentityProviderConfig({ params: { "idp-id": id } });
      expect(failureIn(await patchParty(ledger, token, party)).status).toBe(401);
    }));

  test("deny IDP User to operate within own IDP while missing IDP Admin right", () =>
    withProvider(ledger, { jwksUrl: otherKeys }, async (config) => {
      const id = config.identityProviderId;
      await expectRefused(await other.sign(scoped(config, await newUser(ledger, id, []))), id, 403);
    }));

  test("deny IDP Admin to operate within another IDP", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, (config) =>
      withProvider(ledger, { jwksUrl: otherKeys }, async (another) => {
        const token = await own.sign(
          scoped(config, await newUser(ledger, config.identityProviderId, [IDP_ADMIN])),
        );
        await expectRefused(token, another.identityProviderId, 403);
        // Nor a party of the default one, whatever the request calls it.
        const details = await partyOf(ledger, "");
        for (const identityProviderId of ["", config.identityProviderId]) {
          const refused = failureIn(await patchParty(ledger, token, { ...details, identityProviderId }));
          expect([identityProviderId, refused.status]).toEqual([identityProviderId, 403]);
        }
      }),
    ));

  test("deny calls with user token signed by private key of another IDP", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, (config) =>
      withProvider(ledger, { jwksUrl: otherKeys }, async () => {
        const id = config.identityProviderId;
        const claims = scoped(config, await newUser(ledger, id, [IDP_ADMIN]));
        await expectRefused(await other.sign(claims), id, 401);
        await expectRefused(await stranger.sign(claims), id, 401);
        const kid = own.publicJwk.kid ?? "";
        await expectRefused(await stranger.sign(claims, { kid }), id, 401);
      }),
    ));

  test("deny calls if Jwks url is unreachable", () =>
    withProvider(ledger, { jwksUrl: "http://127.0.0.1:9/unreachable" }, async (config) => {
      const id = config.identityProviderId;
      await expectRefused(await own.sign(scoped(config, await newUser(ledger, id, [IDP_ADMIN]))), id, 401);
    }));

  test("deny a user of one identity provider who shows the token of another", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, (config) =>
      withProvider(ledger, { jwksUrl: otherKeys }, async (another) => {
        const sub = await newUser(ledger, config.identityProviderId, [IDP_ADMIN]);
        const users = [
          await other.sign(scoped(another, sub)),
          await tokenFor(sub),
          await own.sign(scoped(config, ADMIN)),
        ];
        for (const token of users) {
          for (const refusal of await expectRefused(token, config.identityProviderId, 403)) {
            expect(refusal.context).toEqual({ ledger_api_error: "invalid token" });
          }
        }
      }),
    ));

  test("a changed address of keys holds for the next call", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const claims = scoped(config, await newUser(ledger, id, [IDP_ADMIN]));
      const [before, after] = [await own.sign(claims), await other.sign(claims)];
      expect((await change(before, id)).status).toBe(200);
      await ledger.admin.updateIdentityProviderConfig({
        params: { "idp-id": id },
        body: {
          identityProviderConfig: { ...config, jwksUrl: otherKeys },
          updateMask: { paths: ["jwks_url"] },
        },
      });
      expect((await change(after, id)).status).toBe(200);
      await expectRefused(before, id, 401);
    }));

  test("a participant admin who lives in an identity provider names it in every request", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const token = await own.sign(scoped(config, await newUser(ledger, id, [PARTICIPANT_ADMIN])));
      expect((await change(token, id)).status).toBe(200);
      await expectRefused(token, "", 403);
    }));

  test("an identity provider that cannot be named is told so", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async () => {
      const details = { ...(await partyOf(ledger, "")), identityProviderId: "no such!" };
      const refused = failureIn(await patchParty(ledger, await tokenFor(ADMIN), details));
      expect(refused).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
      expect(refused.cause).toContain("Invalid field identity_provider_id");
    }));
});
