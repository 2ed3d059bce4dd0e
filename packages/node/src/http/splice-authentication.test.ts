import { describe, expect, test } from "vitest";
import { TokenRejected, type VerifiedToken } from "../auth/verified-token.ts";
import type { Incoming } from "./call.ts";
import { Refusal } from "./refusal.ts";
import { authenticateUser, findToken } from "./splice-authentication.ts";

function authenticate(token: string | undefined, verify: () => Promise<Partial<VerifiedToken>>) {
  const verified = async () => ({ damlUser: null, subject: null, ...(await verify()) }) as VerifiedToken;
  return authenticateUser({ verify: verified, realm: "wallet", token });
}

/** The reason for the log, which the answer does not say. */
async function reasonOf(call: Promise<string>): Promise<string | undefined> {
  const error = await call.catch((failure: unknown) => failure);
  if (!(error instanceof Refusal) || error.rejection.body.includes(error.reason ?? "")) return undefined;
  return error.reason;
}

async function statusOf(call: Promise<string>): Promise<number | undefined> {
  const error = await call.catch((failure: unknown) => failure);
  return error instanceof Refusal ? error.rejection.status : undefined;
}

test.each([
  ["Bearer abc", "abc"],
  ["Bearer ", ""],
  ["Basic abc", undefined],
  [undefined, undefined],
])("the token of the header %j is %j", (authorization, token) => {
  expect(findToken({ authorization } as Incoming)).toBe(token);
});

describe("the user of a token", () => {
  test("is the Daml user if the token names one, else its subject", async () => {
    expect(await authenticate("t", async () => ({ damlUser: "alice", subject: "sub" }))).toBe("alice");
    expect(await authenticate("t", async () => ({ subject: "sub" }))).toBe("sub");
  });

  test("is refused with 401 without a token, with a rejected one, and with one that names nobody", async () => {
    expect(await statusOf(authenticate(undefined, async () => ({ subject: "sub" })))).toBe(401);
    expect(await statusOf(authenticate("t", () => Promise.reject(new TokenRejected("expired"))))).toBe(401);
    expect(await statusOf(authenticate("t", async () => ({ subject: "" })))).toBe(401);
  });

  test("is refused for a reason that the log alone has", async () => {
    expect(await reasonOf(authenticate(undefined, async () => ({})))).toBe("the call has no token");
    const rejected = authenticate("t", () => Promise.reject(new TokenRejected("the token has expired")));
    expect(await reasonOf(rejected)).toBe("the token was rejected: the token has expired");
    expect(await reasonOf(authenticate("t", async () => ({})))).toBe("the token names no user");
  });

  test("a verifier that fails is a defect, not a refusal", async () => {
    await expect(authenticate("t", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  });
});
