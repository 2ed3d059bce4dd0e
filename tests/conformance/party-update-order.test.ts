/**
 * PATCH /v2/parties/{party}, the order of its checks: each request breaks one row of the table and every later one that
 * it can, and the first failure wins.
 */

import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { ADMIN, newParticipant, SECRET } from "../support/participants.ts";
import { signToken } from "../support/sign-token.ts";
import { expectDenied, expectFailure, failureIn } from "./failure.ts";
import { IDP_ADMIN, startIdentityProvider, type TestIdentityProvider } from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
let first: TestIdentityProvider;

beforeAll(async () => {
  first = await startIdentityProvider(ledger.participant, "idp-1", ledger.atEnd);
  await startIdentityProvider(ledger.participant, "idp-2", ledger.atEnd);
  await first.addUser("idp-1-admin", [IDP_ADMIN]);
  await ledger.admin.createUser({ body: { user: { id: "plain" }, rights: [] } });
});

async function allocate(more: object): Promise<string> {
  const { partyDetails } = await ledger.admin.allocateParty({ body: { partyIdHint: fresh("p"), ...more } });
  return partyDetails.party;
}

function patch(party: string, paths: string[], details: object) {
  const body = { partyDetails: { party, ...details }, updateMask: { paths } };
  return ledger.admin.updatePartyDetails({ params: { party }, body });
}

const pathOf = (party: string) => `/v2/parties/${encodeURIComponent(party)}`;
const urlOf = (party: string) => ledger.participant.url + pathOf(party);

describe("the checks, in their order", () => {
  const nobody = "nobody::1220ab";
  const tooMuch = { "a/b/c": "x".repeat(262_145) };
  const badKey = { "a/b/c": "1" };
  /** Breaks everything behind the rights: the syntax of names and metadata, the mask, and what is there. */
  const broken = {
    identityProviderId: "!",
    isLocal: true,
    localMetadata: { resourceVersion: "x", annotations: tooMuch },
  };

  const ask = async (party: string, body: unknown, user: string | null = ADMIN) =>
    failureIn(await call(urlOf(party), { method: "PATCH", body, user }));

  /** The body of the row before, with one fault fewer. */
  const rows: readonly (readonly [string, () => ReturnType<typeof ask>, object, string])[] = [
    [
      "1: the token's user is not there; the body is not JSON",
      async () => failureIn(await call(urlOf("a"), { method: "PATCH", text: "{", user: "stranger" })),
      { status: 403, code: "NA", grpcCodeValue: 7, context: { ledger_api_error: "invalid token" } },
      "",
    ],
    [
      "2: the body cannot be read; there is no token",
      async () => failureIn(await call(urlOf("a"), { method: "PATCH", text: '{"partyDetails":1}' })),
      { status: 400, code: "INVALID_ARGUMENT" },
      "Invalid value for: body",
    ],
    [
      "3: path and body name two parties; there is no token",
      () => ask("a", { partyDetails: { party: "b", ...broken } }, null),
      { status: 400, code: "INVALID_ARGUMENT", definiteAnswer: false, context: {} },
      "a does not match party in body b",
    ],
    [
      "4: there is no token; everything behind is wrong",
      () => ask("😀", { partyDetails: { party: "😀", ...broken } }, null),
      { status: 401, code: "NA", grpcCodeValue: 16, context: {} },
      "",
    ],
    [
      "6: the caller is no admin",
      () => ask("😀", { partyDetails: { party: "😀", ...broken } }, "plain"),
      { status: 403, code: "NA", grpcCodeValue: 7, context: {} },
      "",
    ],
    [
      "8: the identity provider's name is none",
      () => ask("😀", { partyDetails: { party: "😀", ...broken } }),
      { status: 400, code: "INVALID_TOKEN" },
      "The submitted token has a field with invalid value: Invalid field identity_provider_id: ",
    ],
    [
      "9: the caller belongs to another identity provider",
      async () =>
        failureIn(
          await first.call("idp-1-admin", "PATCH", pathOf("😀"), {
            partyDetails: { party: "😀", ...broken, identityProviderId: "idp-2" },
          }),
        ),
      { status: 403, code: "NA", grpcCodeValue: 7, context: {} },
      "",
    ],
    [
      "10: the party's name is none",
      () => ask("😀", { partyDetails: { party: "😀", ...broken, identityProviderId: "unknown" } }),
      { status: 400, code: "INVALID_ARGUMENT" },
      'non expected character 0x1f600 in Daml-LF Party "😀"',
    ],
    [
      "11: the version is no number",
      () => ask(nobody, { partyDetails: { party: nobody, ...broken, identityProviderId: "unknown" } }),
      { status: 400, code: "INVALID_FIELD" },
      "Invalid field party_details.local_metadata: Invalid resource version number",
    ],
    [
      "12: the annotations are too large",
      () =>
        ask(nobody, {
          partyDetails: {
            party: nobody,
            localMetadata: { resourceVersion: "7", annotations: tooMuch },
            identityProviderId: "unknown",
          },
        }),
      { status: 400, code: "INVALID_ARGUMENT" },
      "annotations from field 'party_details.local_metadata.annotations' are larger than the limit of 256kb",
    ],
    [
      "13: a key is none",
      () =>
        ask(nobody, {
          partyDetails: {
            party: nobody,
            localMetadata: { resourceVersion: "7", annotations: badKey },
            identityProviderId: "unknown",
          },
        }),
      { status: 400, code: "INVALID_ARGUMENT" },
      "Key 'a/b/c' contains more than one forward slash ('/') character",
    ],
    [
      "14: there is no mask",
      () => ask(nobody, { partyDetails: { party: nobody, identityProviderId: "unknown" } }),
      { status: 400, code: "MISSING_FIELD" },
      "The submitted command is missing a mandatory field: update_mask",
    ],
    [
      "15: the identity provider is not there",
      () =>
        ask(nobody, {
          partyDetails: { party: nobody, identityProviderId: "unknown" },
          updateMask: { paths: [] },
        }),
      { status: 400, code: "INVALID_ARGUMENT" },
      "Provided identity_provider_id unknown has not been found.",
    ],
    [
      "16: the mask is empty",
      () => ask(nobody, { partyDetails: { party: nobody }, updateMask: { paths: [] } }),
      { status: 400, code: "INVALID_PARTY_DETAILS_UPDATE_REQUEST" },
      `Update operation for party '${nobody}' failed due to: The update mask contains no entries`,
    ],
    [
      "17: a path is unknown",
      () =>
        ask(nobody, {
          partyDetails: { party: nobody },
          updateMask: { paths: ["is_local", "is_local", "isLocal"] },
        }),
      { status: 400, code: "INVALID_PARTY_DETAILS_UPDATE_REQUEST" },
      "The update path: 'isLocal' points to an unknown field.",
    ],
    [
      "18: a path is there twice",
      () => ask(nobody, { partyDetails: { party: nobody }, updateMask: { paths: ["is_local", "is_local"] } }),
      { status: 400, code: "INVALID_PARTY_DETAILS_UPDATE_REQUEST" },
      "The update path: 'is_local' is duplicated.",
    ],
    [
      "19: the party is not known",
      () => ask(nobody, { partyDetails: { party: nobody }, updateMask: { paths: ["is_local"] } }),
      { status: 404, code: "PARTY_NOT_FOUND", resources: [["PARTY", nobody]] },
      `Party: '${nobody}' was not found when updating a party record`,
    ],
  ];

  test.each(rows)("%s", async (_, asked, expected, words) => {
    const failure = await asked();
    expect(failure).toMatchObject(expected);
    expect(failure.cause).toContain(words);
    expect(failure.context).toEqual(expect.objectContaining(Reflect.get(expected, "context") ?? {}));
  });

  test("3: errors of the JSON layer carry the trace id twice, and nothing of the server", async () => {
    const failure = await ask("a", { partyDetails: null }, null);
    expect([failure.correlationId, failure.context]).toEqual([failure.traceId, {}]);
  });

  test("5: a token for another participant, or one that has ended, comes before the rights", async () => {
    const other = await newParticipant(["http://127.0.0.1:9"], { auth: { kind: "hs256", secret: SECRET } });
    const askWith = async (claims: object) =>
      failureIn(
        await call(`${other.url}/v2/parties/a`, {
          method: "PATCH",
          authorization: `Bearer ${signToken({ sub: ADMIN, ...claims }, { secret: SECRET })}`,
          body: { partyDetails: { party: "a", ...broken } },
        }),
      );
    const aud = (id: string) => `https://daml.com/jwt/aud/participant/${id}`;
    const mismatch = await askWith({ aud: aud("another::1220") });
    expect(mismatch).toMatchObject({ status: 403, code: "NA", context: {} });
    const ended = await askWith({ aud: aud(other.participantId), exp: 1 });
    expect(ended).toMatchObject({ status: 401, code: "NA", context: {} });
    // The same with the right participant goes on to the next row.
    const right = await askWith({ aud: aud(other.participantId) });
    expect(right.code).toBe("INVALID_TOKEN");
  });

  test("7: a caller of an identity provider that names none means its own", async () => {
    const party = await allocate({ identityProviderId: "idp-1" });
    const body = { partyDetails: { party }, updateMask: { paths: ["party"] } };
    const answer = await first.call("idp-1-admin", "PATCH", pathOf(party), body);
    expect(answer.json).toMatchObject({ partyDetails: { party, identityProviderId: "idp-1" } });
  });

  test("20, 21, 22: is_local, then the party's identity provider, then its version, then its size", async () => {
    const large = { annotations: { a: "x".repeat(262_143) } };
    const party = await allocate({ identityProviderId: "idp-1", localMetadata: large });
    const localMetadata = { resourceVersion: "7", annotations: { b: "1" } };
    const both = ["is_local", "local_metadata"];
    const isLocal = patch(party, both, { isLocal: false, localMetadata });
    await expectFailure(isLocal, "INVALID_PARTY_DETAILS_UPDATE_REQUEST", "not-modifiable 'is_local'");
    await expectDenied(patch(party, both, { isLocal: true, localMetadata }));
    const own = { isLocal: true, identityProviderId: "idp-1" };
    const stale = patch(party, both, { ...own, localMetadata });
    await expectFailure(stale, "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED");
    const tooLarge = patch(party, both, { ...own, localMetadata: { annotations: { b: "1" } } });
    await expectFailure(tooLarge, "MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED");
    const { partyDetails } = await patch(party, both, own);
    expect(partyDetails.localMetadata).toEqual({ resourceVersion: "1", ...large });
  });
});
