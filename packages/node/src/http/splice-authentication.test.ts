import { scanApi } from "@callsign/api";
import { describe, expect, test } from "vitest";
import { TokenRejected, type VerifiedToken } from "../auth/verified-token.ts";
import { silentLog } from "../observability/log.ts";
import type { Incoming } from "./call.ts";
import { Refusal } from "./refusal.ts";
import { authenticateUser, findToken } from "./splice-authentication.ts";

function authenticate(token: string | undefined, verify: () => Promise<Partial<VerifiedToken>>) {
  const endpoint = scanApi.endpoints.getDsoInfo;
  const verified = async () => ({ damlUser: null, subject: null, ...(await verify()) }) as VerifiedToken;
  return authenticateUser({ verify: verified, realm: "wallet", endpoint, token, log: silentLog });
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

  test("a verifier that fails is a defect, not a refusal", async () => {
    await expect(authenticate("t", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  });
});
