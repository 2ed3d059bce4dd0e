import { systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import {
  formatSecret,
  formatStoredSecret,
  hashSecret,
  makeSecret,
  parseSecret,
} from "./onboarding-secret.ts";

const SV = "sv-1::1220ab";
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a secret is read in the form", () => {
  test.each([
    [
      "that a validator is handed",
      base64('{"sponsoringSv":"sv-2::1220cd","secret":"c2VjcmV0","partyHint":null}'),
      { sponsoringSv: "sv-2::1220cd", secret: "c2VjcmV0", partyHint: null },
    ],
    [
      "that a validator is handed, for one party hint",
      base64('{"sponsoringSv":"sv-1::1220ab","secret":"c2VjcmV0","partyHint":"alice"}'),
      { sponsoringSv: SV, secret: "c2VjcmV0", partyHint: "alice" },
    ],
    [
      "that a validator is handed, without a hint at all",
      base64('{"sponsoringSv":"sv-1::1220ab","secret":"c2VjcmV0"}'),
      { sponsoringSv: SV, secret: "c2VjcmV0", partyHint: null },
    ],
    [
      "that the ledger keeps, for one party hint",
      '{"sv":"sv-1::1220ab","secret":"c2VjcmV0","validator_party_hint":"alice"}',
      { sponsoringSv: SV, secret: "c2VjcmV0", partyHint: "alice" },
    ],
    ["that the ledger keeps", "c2VjcmV0", { sponsoringSv: SV, secret: "c2VjcmV0", partyHint: null }],
    [
      "of LocalNet's configuration",
      "app-user-validator-onboarding-secret",
      { sponsoringSv: SV, secret: "app-user-validator-onboarding-secret", partyHint: null },
    ],
  ])("%s", (_, text, secret) => {
    expect(parseSecret(text, SV)).toEqual(secret);
  });
});

test.each([
  [
    "",
    "{",
    "{}",
    "null",
    '{"sv":7,"secret":"x"}',
    base64("{}"),
    base64("null"),
    base64('{"sponsoringSv":"a"}'),
  ],
  [base64('{"sponsoringSv":"a","secret":"b","partyHint":7}')],
])("whatever is none of them is a secret of this SV: %j", (...texts) => {
  for (const text of texts) {
    expect(parseSecret(text, SV)).toEqual({ sponsoringSv: SV, secret: text, partyHint: null });
  }
});

test("what is handed out is compact JSON with the keys that Splice's validators know", () => {
  const text = Buffer.from(
    formatSecret({ sponsoringSv: SV, secret: "s", partyHint: null }),
    "base64",
  ).toString();
  expect(text).toBe('{"sponsoringSv":"sv-1::1220ab","secret":"s","partyHint":null}');
});

test.each([null, "alice"])("both forms of a new secret lead back to it (hint %j)", (hint) => {
  const secret = makeSecret(systemHost.randomness, SV, hint);
  expect(parseSecret(formatSecret(secret), "another")).toEqual(secret);
  expect(parseSecret(formatStoredSecret(secret), SV)).toEqual(secret);
  expect(Buffer.from(secret.secret, "base64")).toHaveLength(32);
});

test("no two secrets are the same, nor are their hashes", () => {
  const made = Array.from({ length: 1000 }, () => makeSecret(systemHost.randomness, SV, null));
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(1000);
  expect(new Set(made.map(hashSecret)).size).toBe(1000);
});
