import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { ValidatorLicense } from "../splice-amulet/declarations/validator-license.ts";
import { DsoRules } from "./declarations/dso-rules.ts";

const [alice, bob] = [testParty("alice"), testParty("bob")];

interface Onboarding {
  readonly version?: string | null;
  readonly contactPoint?: string | null;
  readonly validator?: PartyId;
  readonly sponsor?: PartyId;
}

function onboard(network: DsoFixture, given: Onboarding = {}, actAs?: PartyId): ContractId {
  const sponsor = given.sponsor ?? network.sv(1);
  const { version = "0.6.2", contactPoint = "ops@example.com", validator = alice } = given;
  const argument = { sponsor, validator, version, contactPoint };
  const as = network.asSv(actAs ?? sponsor);
  const choice = "DsoRules_OnboardValidator";
  return network.sandbox.exercise(DsoRules, network.dsoRules, choice, argument, as).validatorLicense;
}

describe("a sponsor", () => {
  test("gives a validator its license", () => {
    const network = new DsoFixture();
    const { now } = network.sandbox;
    const contractId = onboard(network);
    expect(network.only(ValidatorLicense)).toEqual({
      contractId,
      payload: {
        validator: alice,
        sponsor: network.sv(1),
        dso: network.dso,
        faucetState: null,
        metadata: { lastUpdatedAt: now, version: "0.6.2", contactPoint: "ops@example.com" },
        lastActiveAt: now,
      },
    });
  });

  test.each([
    [null, "ops@example.com", null],
    [null, null, null],
    ["0.6.2", null, { version: "0.6.2", contactPoint: "" }],
  ])("of version %s with contact point %s puts down %j", (version, contactPoint, metadata) => {
    const network = new DsoFixture();
    const license = network.sandbox.payloadOf(ValidatorLicense, onboard(network, { version, contactPoint }));
    const lastUpdatedAt = network.sandbox.now;
    expect(license.metadata).toEqual(metadata === null ? null : { ...metadata, lastUpdatedAt });
  });

  test("may give the same validator two licenses: nothing looks for the first", () => {
    const network = new DsoFixture();
    expect(onboard(network)).not.toBe(onboard(network));
    expect(network.sandbox.active(ValidatorLicense)).toHaveLength(2);
  });

  test("has to be an SV, and to act itself", () => {
    const network = new DsoFixture();
    expectUnmet("Sponsor is an SV", () => onboard(network, { sponsor: bob }));
    expectUnauthorized(() => onboard(network, {}, network.sv(0)));
    expectUnauthorized(() => onboard(network, {}, alice));
  });

  test("cannot put down a version of 256 characters", () => {
    const network = new DsoFixture();
    expect(onboard(network, { version: "v".repeat(255) })).toMatch(/^00/);
    const { context } = rejectionOf(() => onboard(network, { version: "v".repeat(256) }));
    expect(context["error_id"]).toBe(PRECONDITION_FAILED);
  });
});

describe("licenses of one validator", () => {
  const merge = (network: DsoFixture, ...validatorLicenseCids: readonly ContractId[]) =>
    network.bySv("DsoRules_MergeValidatorLicense", { validatorLicenseCids }).validatorLicense;

  function recordLiveness(network: DsoFixture, license: ContractId, round: bigint): ContractId {
    const openRoundCid = network.openRound(round).contractId;
    const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
    const as = { actAs: [alice], disclose: [openRoundCid] };
    return network.sandbox.exercise(ValidatorLicense, license, choice, { openRoundCid }, as).licenseCid;
  }

  test("are merged into the one with the latest round", () => {
    const network = new DsoFixture();
    const [unused, used] = [onboard(network), recordLiveness(network, onboard(network), 1n)];
    const contractId = merge(network, unused, used);
    const { payload } = network.only(ValidatorLicense);
    expect(network.only(ValidatorLicense).contractId).toBe(contractId);
    expect(payload.faucetState?.lastReceivedFor).toEqual({ number: 1n });
    // Reporting for the same round again would earn twice.
    expectUnmet("Not yet received", () => recordLiveness(network, contractId, 1n));
  });

  test("are merged by their last round and not by their first", () => {
    const network = new DsoFixture();
    const early = recordLiveness(
      network,
      recordLiveness(network, onboard(network, { version: "early" }), 0n),
      1n,
    );
    const late = recordLiveness(network, onboard(network, { version: "late" }), 1n);
    const merged = merge(network, early, late);
    expect(network.sandbox.payloadOf(ValidatorLicense, merged).metadata?.version).toBe("early");
  });

  test("are merged into the first if none was ahead", () => {
    const network = new DsoFixture();
    const first = onboard(network, { version: "first" });
    const merged = merge(network, first, onboard(network, { version: "second" }));
    expect(network.sandbox.payloadOf(ValidatorLicense, merged).metadata?.version).toBe("first");
  });

  test("are merged only if there are two of them, of one validator, of this DSO", () => {
    const network = new DsoFixture();
    const license = onboard(network);
    expectUnmet("Number of validatorLicense contracts to merge is >= 2", () => merge(network, license));
    const other = onboard(network, { validator: bob });
    expectUnmet("All validatorLicenses map to the same validator", () => merge(network, license, other));
    const sv = network.sv(0);
    const payload = { ...network.sandbox.payloadOf(ValidatorLicense, license), dso: sv };
    const forged = network.sandbox.create(ValidatorLicense, payload, { actAs: [sv] });
    expectOtherGroup("ValidatorLicense", () => merge(network, license, forged));
  });
});
