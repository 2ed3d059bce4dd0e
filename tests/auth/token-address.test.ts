/** The audience of a token if the configuration names none: a well-known audience or scope. */
import { beforeAll, describe, expect, test } from "vitest";
import { newSigner, type Signer, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { IDP_ADMIN, newUser, partyOf, patchParty, withProvider } from "../conformance/identity-providers.ts";
import { ledgerOfFile } from "../conformance/ledger.ts";

const ledger = ledgerOfFile({});
let own: Signer;
let ownKeys: string;

beforeAll(async () => {
  own = await newSigner("RS256");
  ownKeys = (await startKeyServer([own.publicJwk], {}, ledger.atEnd)).url;
});

describe("default rules for whom a token is meant", () => {
  const prefix = "https://daml.com/jwt/aud/participant/";
  const participantId = () => ledger.participant.participantId;

  test.each([
    ["an audience that names this participant", () => ({ aud: prefix + participantId() }), 200],
    ["that audience among others", () => ({ aud: ["x", prefix + participantId()] }), 200],
    ["an audience that names another participant", () => ({ aud: `${prefix}other::1220ab` }), 403],
    ["audiences that name two participants", () => ({ aud: [`${prefix}a`, prefix + participantId()] }), 401],
    ["an audience that names no participant", () => ({ aud: prefix }), 401],
    ["the scope of the ledger API", () => ({ scope: "daml_ledger_api" }), 200],
    ["that scope among others", () => ({ scope: "openid daml_ledger_api email" }), 200],
    ["that scope in a list", () => ({ scp: ["daml_ledger_api"] }), 200],
    [
      "that scope, and this participant as audience",
      () => ({ scope: "daml_ledger_api", aud: participantId() }),
      200,
    ],
    ["that scope, and another as audience", () => ({ scope: "daml_ledger_api", aud: "other" }), 403],
    ["that scope, and two audiences", () => ({ scope: "daml_ledger_api", aud: ["a", participantId()] }), 401],
    ["another scope", () => ({ scope: "daml_ledger_api_v2" }), 401],
    ["neither", () => ({}), 401],
  ])("%s", (_, claims, status) =>
    withProvider(ledger, { jwksUrl: ownKeys }, async (config) => {
      const sub = await newUser(ledger, config.identityProviderId, [IDP_ADMIN]);
      const token = await own.sign({ sub, iss: config.issuer, ...claims() });
      expect((await patchParty(ledger, token, await partyOf(ledger, config.identityProviderId))).status).toBe(
        status,
      );
    }),
  );
});
