import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { HOUR } from "../../../values/duration.ts";
import { MAX_INT64 } from "../../../values/int64.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import { ValidatorLicense, ValidatorLivenessActivityRecord } from "../declarations/validator-license.ts";

const validator = testParty("validator");
const sponsor = testParty("sv1");
const stranger = testParty("stranger");
const other = testParty("OTHER-DSO");

function license(network: SandboxNetwork, given: Partial<ValidatorLicense> = {}): ContractId {
  const { dso, sandbox } = network;
  return sandbox.create(
    ValidatorLicense,
    { validator, sponsor, dso, faucetState: null, metadata: null, lastActiveAt: null, ...given },
    { actAs: [dso] },
  );
}

function record(
  network: SandboxNetwork,
  licenseCid: ContractId,
  openRoundCid: ContractId,
  actAs: readonly PartyId[] = [validator],
) {
  const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
  const as = { actAs, disclose: [openRoundCid] };
  return network.sandbox.exercise(ValidatorLicense, licenseCid, choice, { openRoundCid }, as);
}

const received = (first: bigint, last: bigint, missed: bigint) => ({
  firstReceivedFor: { number: first },
  lastReceivedFor: { number: last },
  numCouponsMissed: missed,
});

describe("a validator that was up in a round", () => {
  test("gets a record for the round, and its license says so", () => {
    const network = new SandboxNetwork({ initialRound: 10n });
    const { dso, sandbox } = network;
    const before = license(network);
    const { licenseCid, couponCid } = record(network, before, network.openRound(10n).contractId);
    expect(sandbox.payloadOf(ValidatorLivenessActivityRecord, couponCid)).toEqual({
      dso,
      validator,
      round: { number: 10n },
    });
    expect(sandbox.payloadOf(ValidatorLicense, licenseCid)).toEqual({
      validator,
      sponsor,
      dso,
      faucetState: received(10n, 10n, 0n),
      metadata: null,
      lastActiveAt: sandbox.now,
    });
    expect(changesOf(sandbox)).toEqual({
      archived: ["ValidatorLicense"],
      created: ["ValidatorLicense", "ValidatorLivenessActivityRecord"],
    });
  });

  test.each([
    { last: 9n, round: 10n, missed: 4n },
    { last: 8n, round: 10n, missed: 5n },
    { last: 0n, round: 11n, missed: 14n },
  ])("misses the rounds between $last and $round", ({ last, round, missed }) => {
    const network = new SandboxNetwork({ initialRound: 10n });
    const before = license(network, { faucetState: received(0n, last, 4n) });
    const { licenseCid } = record(network, before, network.openRound(round).contractId);
    expect(network.sandbox.payloadOf(ValidatorLicense, licenseCid).faucetState).toEqual(
      received(0n, round, missed),
    );
  });

  test.each([10n, 11n])("gets one record a round, and none for an earlier one than its last (%s)", (last) => {
    const network = new SandboxNetwork({ initialRound: 10n });
    const before = license(network, { faucetState: received(0n, last, 0n) });
    expectUnmet("Not yet received", () => record(network, before, network.openRound(10n).contractId));
  });

  test.each([
    { at: -1n, open: false },
    { at: 0n, open: true },
  ])("needs the round to be open: $at µs from its opening, $open", ({ at, open }) => {
    const network = new SandboxNetwork();
    const round = network.openRound(2n);
    network.sandbox.now = addDuration(round.payload.opensAt, at);
    const submit = () => record(network, license(network), round.contractId);
    if (open) submit();
    else expectUnmet("OpenRound is open", submit);
  });

  test("reports itself, in a round of its own DSO, with its license of now", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const cid = license(network);
    const round = network.openRound(0n);
    expectUnauthorized(() => record(network, cid, round.contractId, [dso]));
    expectNotFound(() => record(network, cid, round.contractId, [stranger]));
    const foreign = sandbox.create(OpenMiningRound, { ...round.payload, dso: other }, { actAs: [other] });
    expectUnauthorized(() => record(network, cid, foreign, [validator, other]));
    record(network, cid, round.contractId);
    expectNotFound(() => record(network, cid, network.openRound(1n).contractId));
  });

  test("cannot have missed more rounds than can be counted", () => {
    const network = new SandboxNetwork({ initialRound: 10n });
    const before = license(network, { faucetState: received(0n, 1n, MAX_INT64) });
    const submit = () => record(network, before, network.openRound(10n).contractId);
    expect(rejectionOf(submit).context["error_id"]).toBe(
      "UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError",
    );
  });

  test("can no longer ask for a faucet coupon", () => {
    const network = new SandboxNetwork();
    const argument = { openRoundCid: network.openRound(0n).contractId };
    const submit = (actAs: readonly PartyId[]) =>
      network.sandbox.exercise(
        ValidatorLicense,
        license(network),
        "ValidatorLicense_ReceiveFaucetCoupon",
        argument,
        { actAs },
      );
    expect(rejectionOf(() => submit([validator])).cause).toBe(
      `${GENERAL_ERROR}ValidatorLicense_ReceiveFaucetCoupon is deprecated. Please use ValidatorLicense_RecordValidatorLivenessActivity instead.`,
    );
    expectUnauthorized(() => submit([network.dso]));
  });
});

describe("a license's metadata", () => {
  const update = (
    { sandbox }: SandboxNetwork,
    cid: ContractId,
    given: { readonly version: string; readonly contactPoint: string },
    actAs: readonly PartyId[] = [validator],
  ) => sandbox.exercise(ValidatorLicense, cid, "ValidatorLicense_UpdateMetadata", given, { actAs });
  const first = { version: "0.6.3", contactPoint: "a@example.com" };

  test("is set by the validator, and counts as being active", () => {
    const network = new SandboxNetwork();
    const { sandbox } = network;
    const before = license(network, { faucetState: received(0n, 0n, 0n) });
    expectUnauthorized(() => update(network, before, first, [network.dso]));
    const { licenseCid } = update(network, before, first);
    const { now: lastUpdatedAt } = sandbox;
    expect(sandbox.payloadOf(ValidatorLicense, licenseCid)).toMatchObject({
      faucetState: received(0n, 0n, 0n),
      metadata: { lastUpdatedAt, ...first },
      lastActiveAt: lastUpdatedAt,
    });
  });

  test.each([
    { at: HOUR - 1n, allowed: false },
    { at: HOUR, allowed: true },
    { at: HOUR + 1n, allowed: true },
  ])("changes an hour after the last change at the earliest: $at µs later, $allowed", ({ at, allowed }) => {
    const network = new SandboxNetwork();
    const { licenseCid } = update(network, license(network), first);
    network.sandbox.advance(at);
    const submit = () => update(network, licenseCid, { ...first, version: "0.6.4" });
    const label = "At least RelTime {microseconds = 3600000000} has passed since the last metadata update";
    if (allowed) submit();
    else expectUnmet(label, submit);
  });

  test("is updated only if version or contact point changes", () => {
    const network = new SandboxNetwork();
    const { licenseCid } = update(network, license(network), first);
    network.sandbox.advance(HOUR);
    expectUnmet("Metadata has changed", () => update(network, licenseCid, first));
    const changed = update(network, licenseCid, { ...first, contactPoint: "b@example.com" });
    network.sandbox.advance(HOUR);
    update(network, changed.licenseCid, { version: "0.6.4", contactPoint: "b@example.com" });
  });

  test.each(["version", "contactPoint"] as const)("has a %s of at most 255 characters", (field) => {
    const network = new SandboxNetwork();
    const set = (text: string) => update(network, license(network), { ...first, [field]: text });
    set("x".repeat(255));
    // Characters are code points: these take two units each.
    set("😀".repeat(255));
    for (const long of ["x".repeat(256), "😀".repeat(256)]) {
      expect(rejectionOf(() => set(long)).context["error_id"]).toBe(PRECONDITION_FAILED);
    }
  });
});

describe("a validator without a wallet", () => {
  const report = ({ sandbox }: SandboxNetwork, cid: ContractId, actAs: readonly PartyId[] = [validator]) =>
    sandbox.exercise(ValidatorLicense, cid, "ValidatorLicense_ReportActive", {}, { actAs });

  test("reports that it is active", () => {
    const network = new SandboxNetwork();
    const { sandbox } = network;
    const before = license(network);
    expectUnauthorized(() => report(network, before, [network.dso]));
    const { licenseCid } = report(network, before);
    expect(sandbox.active(ValidatorLicense)).toEqual([
      {
        contractId: licenseCid,
        payload: {
          validator,
          sponsor,
          dso: network.dso,
          faucetState: null,
          metadata: null,
          lastActiveAt: sandbox.now,
        },
      },
    ]);
  });

  test.each([
    { at: HOUR - 1n, allowed: false },
    { at: HOUR, allowed: true },
    { at: HOUR + 1n, allowed: true },
  ])("reports an hour after its last activity at the earliest: $at µs later, $allowed", ({ at, allowed }) => {
    const network = new SandboxNetwork();
    const { licenseCid } = report(network, license(network));
    network.sandbox.advance(at);
    const submit = () => report(network, licenseCid);
    const label = "At least <> show activityReportMinInterval  has passed since the last activity report";
    if (allowed) submit();
    else expectUnmet(label, submit);
  });
});

describe("a license", () => {
  test("is withdrawn by the DSO and cancelled by the validator, not the other way round", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const reason = { reason: "gone" };
    const withdraw = (cid: ContractId, actAs: readonly PartyId[]) =>
      sandbox.exercise(ValidatorLicense, cid, "ValidatorLicense_Withdraw", reason, { actAs });
    const cancel = (cid: ContractId, actAs: readonly PartyId[]) =>
      sandbox.exercise(ValidatorLicense, cid, "ValidatorLicense_Cancel", reason, { actAs });
    const [a, b] = [license(network), license(network)];
    expectUnauthorized(() => withdraw(a, [validator]));
    expectUnauthorized(() => cancel(b, [dso]));
    expect(withdraw(a, [dso])).toEqual({});
    expect(cancel(b, [validator])).toEqual({});
    expect(sandbox.active(ValidatorLicense)).toEqual([]);
  });

  test("can be created by the DSO alone; its sponsor does not see it", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const payload = { validator, sponsor, dso, faucetState: null, metadata: null, lastActiveAt: null };
    expectUnauthorized(() => sandbox.create(ValidatorLicense, payload, { actAs: [validator, sponsor] }));
    const cid = license(network);
    const choice = "ValidatorLicense_Withdraw";
    expectNotFound(() =>
      sandbox.exercise(ValidatorLicense, cid, choice, { reason: "" }, { actAs: [sponsor] }),
    );
  });
});
