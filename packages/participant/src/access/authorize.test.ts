import { ledgerApi } from "@callsign/api";
import { expect, test } from "vitest";
import { MAX_STRANGERS_BODY } from "../limits/limits.ts";
import { createAdmit } from "./authorize.ts";
import { anybody, type LedgerCaller, nobody } from "./caller.ts";

const { endpoints } = ledgerApi;
const alice: LedgerCaller = { ...anybody, userId: "alice" };

const admit = createAdmit((userId) => {
  throw new Error(`no room for ${userId}`);
});

test("each operation that submits asks for room, and no other does", () => {
  const refused = Object.values(endpoints).filter((endpoint) => {
    try {
      admit(endpoint, alice, 0);
      return false;
    } catch (error) {
      expect(error).toHaveProperty("message", "no room for alice");
      return true;
    }
  });
  expect(refused.map(({ id }) => id).sort()).toEqual([
    "submitAndWait",
    "submitAndWaitForTransaction",
    "submitAndWaitForTransactionTree",
    "submitAsync",
  ]);
});

test("a caller without a valid token for this participant is not told that there is no room", () => {
  admit(endpoints.submitAndWait, nobody, 10);
  admit(endpoints.submitAndWait, { ...alice, isMisaddressed: true }, 10);
  expect(() => admit(endpoints.submitAndWait, nobody, MAX_STRANGERS_BODY + 1)).toThrow(/^UNAUTHENTICATED/);
});
