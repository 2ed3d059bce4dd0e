import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { exercisesOf } from "../../../testing/transaction-changes.ts";
import { WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { MICROSECOND, MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, type Time } from "../../values/time.ts";
import { FeaturedAppActivityMarker } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { AmuletConversionRateFeed } from "./declarations/amulet-conversion-rate-feed.ts";

const publisher = testParty("publisher");
const other = testParty("other");
const HALF_TICK = 5n * MINUTE;

function published() {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  const feed = { publisher, dso, nextUpdateAfter: null, amuletConversionRate: decimal("0.005") };
  const cid = sandbox.create(AmuletConversionRateFeed, feed, { actAs: [publisher] });
  const update = (
    feedCid: ContractId,
    given: { rate?: string; next?: Time; right?: ContractId; by?: PartyId; rules?: ContractId } = {},
  ) => {
    const { rate = "0.006", next = addDuration(sandbox.now, HALF_TICK), right, by = publisher } = given;
    const beneficiaries = [{ beneficiary: publisher, weight: decimal("1.0") }];
    const markerContextO = right === undefined ? null : { featuredAppRightCid: right, beneficiaries };
    const argument = {
      amuletConversionRate: decimal(rate),
      amuletRulesCid: given.rules ?? network.amuletRules,
      markerContextO,
      newNextUpdateAfter: next,
    };
    const disclose = [...network.disclosures(), ...(right === undefined ? [] : [right])];
    const as = { actAs: [by], readAs: [publisher], disclose };
    const choice = "AmuletConversionRateFeed_Update";
    return sandbox.exercise(AmuletConversionRateFeed, feedCid, choice, argument, as).cid;
  };
  return { network, sandbox, feed, cid, update };
}

describe("a feed", () => {
  test("is signed by its publisher alone and shown to the DSO", () => {
    const { network, sandbox, feed } = published();
    expect(sandbox.lastTransaction?.nodes).toMatchObject([
      { signatories: [publisher], observers: [network.dso] },
    ]);
    expectUnauthorized(() => sandbox.create(AmuletConversionRateFeed, feed, { actAs: [network.dso] }));
  });

  test("gets another rate, and at the earliest half a tick later the next one", () => {
    const { sandbox, feed, cid, update } = published();
    const nextUpdateAfter = addDuration(sandbox.now, HALF_TICK);
    const second = update(cid);
    const amuletConversionRate = decimal("0.006");
    const expected = { ...feed, amuletConversionRate, nextUpdateAfter };
    expect(sandbox.payloadOf(AmuletConversionRateFeed, second)).toEqual(expected);
    sandbox.now = addDuration(nextUpdateAfter, -MICROSECOND);
    expectTooEarly("nextUpdateAfter", () => update(second));
    sandbox.now = nextUpdateAfter;
    update(second, { rate: "0.007" });
    expectNotFound(() => update(second));
  });

  test("promises to stay for half a tick at least", () => {
    const { sandbox, cid, update } = published();
    const tooSoon = addDuration(sandbox.now, HALF_TICK - MICROSECOND);
    expectTooLate("newNextUpdateAfter - 0.5 tickDuration", () => update(cid, { next: tooSoon }));
    update(cid, { next: addDuration(sandbox.now, HALF_TICK) });
  });

  test("earns its publisher a marker, if that is featured", () => {
    const { network, sandbox, cid, update } = published();
    const second = update(cid, { right: network.feature(publisher) });
    expect(sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload)).toEqual([
      { dso: network.dso, provider: publisher, beneficiary: publisher, weight: decimal("1.0") },
    ]);
    expect(exercisesOf(sandbox)).toEqual([
      ["AmuletConversionRateFeed_Update", [publisher]],
      ["AmuletRules_Fetch", [publisher]],
      ["FeaturedAppRight_CreateActivityMarker", [publisher]],
    ]);
    sandbox.advance(HALF_TICK);
    expectUnauthorized(() => update(second, { right: network.feature(other) }));
  });

  test("is bound by the rules of its DSO", () => {
    const { network, sandbox, cid, update } = published();
    const rules = sandbox.payloadOf(AmuletRules, network.amuletRules);
    const theirs = sandbox.create(AmuletRules, { ...rules, dso: publisher }, { actAs: [publisher] });
    expectOtherGroup("AmuletRules", () => update(cid, { rules: theirs }));
  });

  test("is changed by its publisher and removed by the DSO", () => {
    const { network, sandbox, cid, update } = published();
    expectUnauthorized(() => update(cid, { by: other }));
    const remove = (actor: PartyId) => {
      const choice = "AmuletConversionRateFeed_ArchiveAsDso";
      const as = { actAs: [actor], readAs: [publisher] };
      return sandbox.exercise(AmuletConversionRateFeed, cid, choice, { reason: "wrong" }, as);
    };
    expectUnauthorized(() => remove(publisher));
    expect(remove(network.dso)).toEqual({});
    expect(sandbox.isActive(cid)).toBe(false);
  });
});
