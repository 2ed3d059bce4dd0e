// A validator whose users get their tokens from a provider that publishes its keys.

import { HttpError } from "@callsign/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { newSigner, type Signer, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { validatorClient } from "../support/network-clients.ts";

const AUDIENCE = "https://validator.example.com";
const atEnd = atEndOfFile();
let network: LocalNetwork;
let signer: Signer;
let url: string;
let party: string;

beforeAll(async () => {
  network = await LocalNetwork.start();
  party = (await network.makeUser("bob")).party;
  signer = await newSigner("RS256");
  const { url: jwksUrl } = await startKeyServer([signer.publicJwk], {}, atEnd);
  const auth = { kind: "jwks", jwksUrl, audience: AUDIENCE } as const;
  url = (await network.startValidator(["bob"], "with-key-set", { auth })).url;
});
afterAll(() => network.close());

async function statusOf(token: string): Promise<number> {
  try {
    await validatorClient(url, token).getBalance();
    return 200;
  } catch (error) {
    if (error instanceof HttpError) return error.status;
    throw error;
  }
}

test("accepts a token of the key set, and the user of the preferred claim", async () => {
  const token = await signer.sign({ sub: "bob", aud: AUDIENCE });
  expect(await validatorClient(url, token).userStatus()).toMatchObject({ party_id: party });
  const preferred = { sub: "auth0|7", aud: AUDIENCE, "https://canton-network": { daml_user: "bob" } };
  expect(await statusOf(await signer.sign(preferred))).toBe(200);
});

test("refuses a token of another audience, key or time", async () => {
  const stranger = await newSigner("RS256");
  const claims = { sub: "bob", aud: AUDIENCE };
  for (const token of [
    await signer.sign({ ...claims, aud: "https://other.example.com" }),
    await signer.sign({ ...claims, exp: 1 }),
    await stranger.sign(claims),
    await stranger.sign(claims, { kid: signer.publicJwk.kid ?? "" }),
  ]) {
    expect(await statusOf(token)).toBe(401);
  }
});
