/** Algorithm and key never come from the token. */

import { generateKeyPairSync } from "node:crypto";
import { exportJWK, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { atEndOfFile } from "../../testing/at-end.ts";
import { newSigner, type Signer, startKeyServer } from "../../testing/key-server.ts";
import { systemHost } from "../system-host.ts";
import { createTokenVerifier } from "./token-verifier.ts";
import { TokenRejected, type TokenVerifier } from "./verified-token.ts";

const audience = "https://ledger_api.example.com";
const claims = { sub: "alice", aud: audience };
const atEnd = atEndOfFile();
let rsa: Signer;
let ec: Signer;
let stranger: Signer;
let strangersKeys: string;
/** A key that signs with every algorithm of RSA. */
const anyRsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
let verify: TokenVerifier;

beforeAll(async () => {
  [rsa, ec, stranger] = [
    await newSigner("RS256", "rsa"),
    await newSigner("ES256", "ec"),
    await newSigner("RS256", "rsa"),
  ];
  const { url } = await startKeyServer([rsa.publicJwk, ec.publicJwk], {}, atEnd);
  strangersKeys = (await startKeyServer([stranger.publicJwk], {}, atEnd)).url;
  verify = createTokenVerifier({ kind: "jwks", jwksUrl: url, audience }, { host: systemHost });
});

/** Everything an attacker has of the public key, as bytes for a secret. */
async function publicTexts({ publicJwk }: Signer): Promise<readonly string[]> {
  const key = await importJWK(publicJwk, publicJwk.kty === "RSA" ? "RS256" : "ES256");
  if (key instanceof Uint8Array) throw new Error("a public key");
  const pem = await exportSPKI(key);
  return [pem, pem.trim(), JSON.stringify(publicJwk), publicJwk.n ?? publicJwk.x ?? ""];
}

function withSecret(secret: string, header: { alg: string; kid?: string }): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
}

test("tokens signed by either key of the set are valid", async () => {
  expect(await verify(await rsa.sign(claims))).toMatchObject({ subject: "alice" });
  expect(await verify(await ec.sign(claims))).toMatchObject({ subject: "alice" });
});

describe("a token is refused", () => {
  const refuse = async (token: string) => {
    await expect(verify(token)).rejects.toBeInstanceOf(TokenRejected);
    // The cache does not change the verdict.
    await expect(verify(token)).rejects.toBeInstanceOf(TokenRejected);
  };

  test.each(["HS256", "HS384", "HS512"])("that takes a public key for the secret of %s", async (alg) => {
    for (const signer of [rsa, ec]) {
      for (const secret of await publicTexts(signer)) {
        await refuse(await withSecret(secret, { alg, kid: signer.publicJwk.kid ?? "" }));
      }
    }
  });

  test("that is not signed", async () => {
    await refuse(new UnsecuredJWT(claims).encode());
    const [, payload] = (await rsa.sign(claims)).split(".");
    for (const alg of ["none", "None", "NONE", "nOnE"]) {
      const header = Buffer.from(JSON.stringify({ alg, kid: "rsa" })).toString("base64url");
      await refuse(`${header}.${payload}.`);
    }
  });

  test("that names a key of another type", async () => {
    await refuse(await rsa.sign(claims, { kid: "ec" }));
    await refuse(await ec.sign(claims, { kid: "rsa" }));
  });

  test.each(["RS384", "RS512", "PS256", "PS384", "PS512"])(
    "that is signed with %s by the key of RS256",
    async (alg) => {
      const { url } = await startKeyServer([{ ...(await exportJWK(anyRsa.publicKey)), kid: "one" }]);
      const other = createTokenVerifier({ kind: "jwks", jwksUrl: url, audience }, { host: systemHost });
      const token = await new SignJWT(claims).setProtectedHeader({ alg, kid: "one" }).sign(anyRsa.privateKey);
      await expect(other(token)).rejects.toBeInstanceOf(TokenRejected);
    },
  );

  test("that does not name its key, or not by a text", async () => {
    await refuse(await rsa.sign(claims, { kid: undefined as never }));
    await refuse(await rsa.sign(claims, { kid: 1 as never }));
    await refuse(await rsa.sign(claims, { kid: ["rsa"] as never }));
    await refuse(await rsa.sign(claims, { kid: "" }));
    await refuse(await rsa.sign(claims, { kid: "__proto__" }));
  });

  test("that brings its own key, or says where it is", async () => {
    await refuse(await stranger.sign(claims));
    for (const header of [
      { jwk: stranger.publicJwk },
      { jku: strangersKeys },
      { x5u: strangersKeys },
      { x5c: ["MIIB"] },
      { jwk: stranger.publicJwk, jku: strangersKeys, kid: undefined as never },
    ]) {
      await refuse(await stranger.sign(claims, header as never));
    }
  });

  test("that was changed after it was signed", async () => {
    const [header, , signature] = (await rsa.sign(claims)).split(".");
    const payload = Buffer.from(JSON.stringify({ ...claims, sub: "participant_admin" })).toString(
      "base64url",
    );
    await refuse(`${header}.${payload}.${signature}`);
  });

  test("that asks for something nobody knows", async () => {
    const header = { alg: "RS256", kid: "rsa", crit: ["unheard-of"], "unheard-of": 1 };
    const token = new SignJWT(claims).setProtectedHeader(header);
    await refuse(await token.sign(rsa.privateKey, { crit: { "unheard-of": true } }));
  });
});

test("a shared secret checks HS256 and no other algorithm", async () => {
  const secret = "a secret of the local network, long enough for every algorithm that there is in the family";
  const own = createTokenVerifier({ kind: "hs256", secret, audience }, { host: systemHost });
  expect(await own(await withSecret(secret, { alg: "HS256" }))).toMatchObject({ subject: "alice" });
  for (const alg of ["HS384", "HS512"]) {
    await expect(own(await withSecret(secret, { alg }))).rejects.toBeInstanceOf(TokenRejected);
  }
  await expect(own(await rsa.sign(claims))).rejects.toBeInstanceOf(TokenRejected);
});
