/** The identity provider of a request that names none, as upstream's ImpliedIdpPartyManagementServiceTest asserts it. */
import { beforeAll, describe, expect, test } from "vitest";
import type { PartyDetails } from "../../packages/api/src/index.ts";
import { newSigner, type Signer, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { ADMIN, tokenFor } from "../support/participants.ts";
import { IDP_ADMIN, newUser, scoped, send, withProvider } from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
let own: Signer;
let ownKeys: string;

beforeAll(async () => {
  own = await newSigner("RS256");
  ownKeys = (await startKeyServer([own.publicJwk], {}, ledger.atEnd)).url;
});

describe("ImpliedIdpPartyManagementServiceTest", () => {
  /** Allocates, looks up, lists and changes a party without ever naming an identity provider. */
  async function walk(token: string): Promise<readonly PartyDetails[]> {
    const allocated = await send(ledger, token, { method: "POST", path: "/v2/parties", body: {} });
    expect(allocated.status).toBe(200);
    const { partyDetails: made } = allocated.json as { partyDetails: PartyDetails };
    const path = `/v2/parties/${encodeURIComponent(made.party)}`;
    const found = (await send(ledger, token, { method: "GET", path })).json as {
      partyDetails: PartyDetails[];
    };
    const listed = (await send(ledger, token, { method: "GET", path: "/v2/parties" })).json as {
      partyDetails: PartyDetails[];
    };
    const patched = await send(ledger, token, {
      method: "PATCH",
      path,
      body: {
        partyDetails: { party: made.party, localMetadata: { annotations: { foo: "bar" } } },
        updateMask: { paths: ["local_metadata.annotations"] },
      },
    });
    expect(patched.status).toBe(200);
    const { partyDetails: changed } = patched.json as { partyDetails: PartyDetails };
    expect(changed.localMetadata?.annotations).toEqual({ foo: "bar" });
    const seen = [
      made,
      ...found.partyDetails,
      ...listed.partyDetails.filter(({ party }) => party === made.party),
      changed,
    ];
    expect(seen.map(({ party }) => party)).toEqual([made.party, made.party, made.party, made.party]);
    return seen;
  }

  test("imply idp id from access token if idp not specified in the request and user is an idp admin", () =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const id = config.identityProviderId;
      const token = await own.sign(scoped(config, await newUser(ledger, id, [IDP_ADMIN])));
      const seen = await walk(token);
      expect(seen.map(({ identityProviderId }) => identityProviderId)).toEqual([id, id, id, id]);
    }));

  test("not imply idp id from access token if user is an admin", async () => {
    const seen = await walk(await tokenFor(ADMIN));
    expect(seen.map(({ identityProviderId }) => identityProviderId)).toEqual(["", "", "", ""]);
  });
});
