// Each check of a candidate that asks to become an SV: its token, its keys, and the approval of the SVs.

import { generateKeyPairSync, sign } from "node:crypto";
import type { PartyId } from "@callsign/ledger";
import { describe, expect, test } from "vitest";
import { MAX_SV_TOKEN_LENGTH } from "../../packages/sv/src/limits/limits.ts";
import { approveCandidate } from "../../packages/sv/src/onboarding/approve-candidate.ts";
import {
  findCandidateKeyFault,
  readSvToken,
  type SvOnboardingToken,
  signSvToken,
} from "../../packages/sv/src/onboarding/sv-onboarding-token.ts";
import { newCandidateKeys } from "../support/candidate-keys.ts";

const keys = newCandidateKeys();
const others = newCandidateKeys();
const NAMESPACE = `1220${"a".repeat(64)}`;
const OTHER_NAMESPACE = `1220${"b".repeat(64)}`;
const DSO = `DSO::1220${"d".repeat(64)}` as PartyId;
const candidate: SvOnboardingToken = {
  ...{ name: "sv-5", key: keys.publicKey, dso: DSO },
  party: `sv-5::${NAMESPACE}` as PartyId,
  participantId: `PAR::sv-5::${NAMESPACE}`,
};
const approved = [
  { name: "sv-4", publicKey: others.publicKey, rewardWeightBps: 10_000n },
  { name: "sv-5", publicKey: keys.publicKey, rewardWeightBps: 20_000n },
];

const tokenOf = (change: Partial<SvOnboardingToken> = {}, by = keys) =>
  signSvToken({ ...candidate, ...change }, by.privateKey);
const faultOf = (given: Parameters<typeof approveCandidate>[0]) => {
  const outcome = approveCandidate(given, { approved, dso: DSO });
  return "fault" in outcome ? outcome.fault : null;
};

describe("a candidate", () => {
  test("whose token, name and key are approved is let in, with the weight that was agreed on", () => {
    const { name, party, participantId } = candidate;
    expect(
      approveCandidate({ token: tokenOf(), name, party, participantId }, { approved, dso: DSO }),
    ).toEqual({
      token: candidate,
      rewardWeightBps: 20_000n,
    });
  });

  test.each<[string, Parameters<typeof approveCandidate>[0], string]>([
    ["of no approved name", { token: tokenOf({ name: "sv-6" }) }, 'no approved SV has the name "sv-6"'],
    [
      "with the key of another approved one",
      { token: tokenOf({ key: others.publicKey }, others) },
      "the candidate's key is not the approved one",
    ],
    [
      "whose token another key has signed",
      { token: tokenOf({}, others) },
      "the key that the token names has not signed it",
    ],
    ["of another DSO", { token: tokenOf({ dso: "DSO::1220" }) }, `the token is for another DSO than ${DSO}`],
    [
      "whose request has another name",
      { token: tokenOf(), name: "sv-4" },
      "the request names another candidate than its token",
    ],
    [
      "whose request has another party",
      { token: tokenOf(), party: `sv-6::${NAMESPACE}` as PartyId },
      "the request names another party than its token",
    ],
    [
      "whose request has another participant",
      { token: tokenOf(), participantId: `PAR::sv-6::${NAMESPACE}` },
      "the request names another participant than its token",
    ],
    [
      "whose party has another namespace than its participant",
      { token: tokenOf({ party: `sv-5::${OTHER_NAMESPACE}` as PartyId }) },
      "does not have the namespace of its participant",
    ],
    [
      "whose participant is none",
      { token: tokenOf({ participantId: `sv-5::${NAMESPACE}` }) },
      "does not have the namespace of its participant",
    ],
  ])("%s is refused", (_, given, fault) => {
    expect(faultOf(given)).toContain(fault);
  });
});

describe("a token", () => {
  const [header = "", claims = "", signature = ""] = tokenOf().split(".");
  const encode = (json: unknown) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const decoded = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, string>;
  /** Signed over its own bytes, by the candidate's key. */
  const signed = (head: unknown, body: unknown) => {
    const message = `${encode(head)}.${encode(body)}`;
    const privateKey = { key: Buffer.from(keys.privateKey, "base64"), format: "der", type: "pkcs8" } as const;
    const made = sign("sha256", Buffer.from(message), { ...privateKey, dsaEncoding: "ieee-p1363" });
    return `${message}.${made.toString("base64url")}`;
  };
  const withClaim = (change: object) => {
    const [[name, text] = ["", "{}"]] = Object.entries(decoded);
    return { [name]: JSON.stringify({ ...JSON.parse(text), ...change }) };
  };
  const es256 = { alg: "ES256", typ: "JWT" };
  const faultOfToken = (text: string) => {
    const outcome = readSvToken(text);
    return "fault" in outcome ? outcome.fault : null;
  };

  test("that was signed as this test signs is read", () => {
    expect(readSvToken(signed(es256, decoded))).toEqual(candidate);
  });

  test.each<[string, string, string]>([
    [
      "longer than tokens are",
      "x".repeat(MAX_SV_TOKEN_LENGTH + 1),
      `and at most ${MAX_SV_TOKEN_LENGTH} are read`,
    ],
    ["without a signature", `${header}.${claims}`, "the token is no JWT, which has three parts"],
    ["of four parts", `${tokenOf()}.more`, "the token is no JWT, which has three parts"],
    ["of another algorithm", signed({ alg: "none" }, decoded), "the token is not signed with ES256"],
    [
      "whose claims are changed",
      `${header}.${encode(withClaim({ name: "sv-4" }))}.${signature}`,
      "has not signed it",
    ],
    [
      "whose header is changed",
      `${encode({ ...es256, kid: "1" })}.${claims}.${signature}`,
      "has not signed it",
    ],
    ["without a name", signed(es256, withClaim({ name: 5 })), "it has no text name"],
    [
      "without a participant",
      signed(es256, withClaim({ participantId: null })),
      "it has no text participantId",
    ],
    ["without a DSO", signed(es256, withClaim({ dso: undefined })), "it has no text dso"],
    [
      "with a party that is none",
      signed(es256, withClaim({ party: "nobody" })),
      "a fingerprint of 1 to 68 characters",
    ],
    ["without the claim", signed(es256, {}), "it has no text https://lfdecentralizedtrust.splice/sv"],
    ["that is nonsense", "a.b.c", "the token cannot be read"],
  ])("%s is refused", (_, token, fault) => {
    expect(faultOfToken(token)).toContain(fault);
  });
});

describe("the keys of a candidate", () => {
  const der = (curve: string) => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: curve });
    return {
      publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
      privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    };
  };

  test("belong to each other and are on P-256", () => {
    expect(findCandidateKeyFault(keys)).toBeNull();
    expect(findCandidateKeyFault({ ...keys, publicKey: others.publicKey })).toBe(
      "the private key does not belong to the public key",
    );
    expect(findCandidateKeyFault(der("secp384r1"))).toContain("the key is not one on the curve P-256");
    expect(findCandidateKeyFault({ ...keys, privateKey: "nonsense" })).toContain("it is no key on P-256");
  });

  test("of another curve sign no token", () => {
    const far = der("secp256k1");
    expect(() => tokenOf({ key: far.publicKey }, far)).toThrow("the key is not one on the curve P-256");
  });
});
