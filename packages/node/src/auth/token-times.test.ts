import { CompactSign, SignJWT } from "jose";
import { expect, test } from "vitest";
import { systemHost } from "../system-host.ts";
import type { TokenTimes } from "./token-times.ts";
import { createTokenVerifier } from "./token-verifier.ts";
import { TokenRejected } from "./verified-token.ts";

const secret = "a secret of the local network";
const now = () => Math.floor(Date.now() / 1000);

type Times = readonly [string, TokenTimes, () => Record<string, unknown>, boolean];

const cases: readonly Times[] = [
  ["ended a while ago", {}, () => ({ exp: now() - 5 }), false],
  ["ended within the leeway", { leeway: { defaultSeconds: 30 } }, () => ({ exp: now() - 5 }), true],
  ["ended before the leeway", { leeway: { defaultSeconds: 30 } }, () => ({ exp: now() - 31 }), false],
  [
    "ended within a leeway of its own",
    { leeway: { expiresAtSeconds: 30 } },
    () => ({ exp: now() - 5 }),
    true,
  ],
  [
    "ended, and has less leeway than the rest",
    { leeway: { defaultSeconds: 30, expiresAtSeconds: 1 } },
    () => ({ exp: now() - 5 }),
    false,
  ],
  ["begins soon", {}, () => ({ nbf: now() + 10 }), false],
  ["begins within the leeway", { leeway: { notBeforeSeconds: 30 } }, () => ({ nbf: now() + 10 }), true],
  ["begins beyond the leeway", { leeway: { notBeforeSeconds: 5 } }, () => ({ nbf: now() + 30 }), false],
  ["was issued later", {}, () => ({ iat: now() + 10 }), false],
  ["was issued within the leeway", { leeway: { issuedAtSeconds: 30 } }, () => ({ iat: now() + 10 }), true],
  [
    "was issued later, with leeway for the end only",
    { leeway: { expiresAtSeconds: 30 } },
    () => ({ iat: now() + 10 }),
    false,
  ],
  ["never ends", {}, () => ({}), true],
  ["never ends, where it must", { maxLifetimeSeconds: 300 }, () => ({}), false],
  ["ends soon enough", { maxLifetimeSeconds: 300 }, () => ({ exp: now() + 299 }), true],
  ["holds too long", { maxLifetimeSeconds: 300 }, () => ({ exp: now() + 600 }), false],
  ["ends at no time that there is", {}, () => ({ exp: "tomorrow" }), false],
];

test.each(cases)("a token that %s is judged by its times and the leeway", async (_, times, claims, holds) => {
  const verify = createTokenVerifier(
    { kind: "hs256", secret, audience: "here" },
    { times, host: systemHost },
  );
  const token = await new SignJWT({ sub: "alice", aud: "here", ...claims() })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
  if (holds) expect(await verify(token)).toMatchObject({ subject: "alice" });
  else await expect(verify(token)).rejects.toBeInstanceOf(TokenRejected);
});

test.each(["exp", "iat", "nbf"])("a token whose %s is infinite is refused", async (claim) => {
  const verify = createTokenVerifier({ kind: "hs256", secret, audience: "here" }, { host: systemHost });
  const payload = `{"sub":"alice","aud":"here","${claim}":${claim === "exp" ? "1e400" : "-1e400"}}`;
  const token = await new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
  await expect(verify(token)).rejects.toBeInstanceOf(TokenRejected);
});

test("an empty secret and an address that is none are refused when the verifier is made", () => {
  expect(() =>
    createTokenVerifier({ kind: "hs256", secret: "", audience: "here" }, { host: systemHost }),
  ).toThrow("secret");
  for (const jwksUrl of ["", "keys.example.com", "file:///etc/keys"]) {
    expect(() =>
      createTokenVerifier({ kind: "jwks", jwksUrl, audience: "here" }, { host: systemHost }),
    ).toThrow("jwksUrl");
  }
});
