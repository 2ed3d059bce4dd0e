import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { NameOwner } from "../../../testing/dso-names.ts";
import { expectNotFound, expectTooEarly, expectUnmet } from "../../../testing/rejection.ts";
import { DAY, MICROSECOND } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { ExternalPartyConfigState } from "../splice-amulet/declarations/external-party-config-state.ts";

/** The two states, the one to be replaced first first. */
function configStates({ sandbox }: DsoFixture) {
  const states = sandbox
    .active(ExternalPartyConfigState)
    .toSorted((a, b) => Number(a.payload.targetArchiveAfter - b.payload.targetArchiveAfter));
  const [older, newer] = states;
  if (older === undefined || newer === undefined) throw new Error("there are two configuration states");
  return { older, newer };
}

function replaceOlderState(network: DsoFixture) {
  const { older, newer } = configStates(network);
  const [round0, round1, round2] = network.openRounds();
  if (round0 === undefined || round1 === undefined || round2 === undefined) throw new Error("three rounds");
  return network.bySv(
    "DsoRules_UpdateExternalPartyConfigStates",
    {
      amuletRulesCid: network.amuletRules,
      externalPartyConfigStateCid0: older.contractId,
      externalPartyConfigStateCid1: newer.contractId,
      openMiningRoundTriple: {
        round0Cid: round0.contractId,
        round1Cid: round1.contractId,
        round2Cid: round2.contractId,
      },
    },
    network.sv(1),
  );
}

function twoStates(network: DsoFixture) {
  const { older, newer } = configStates(network);
  return {
    externalPartyConfigState0Cid: older.contractId,
    externalPartyConfigState1Cid: newer.contractId,
  };
}

/** Rounds 2, 3, 4 are open, and both states have seen it. */
function twoRoundsLater(network: DsoFixture): void {
  network.advanceRounds();
  network.advanceRounds();
  network.sandbox.advance(DAY);
  replaceOlderState(network);
  network.sandbox.advance(DAY);
  replaceOlderState(network);
}

// At 0.005 the fee is 0.0000190259 ÷ 0.005 = 0.00380518 a round. A coin tapped in round 1 that is worth at most
// that lasts one round, a larger one two.
const ONE_ROUND = "0.00380518";
const TWO_ROUNDS = "0.0038051801";

describe("coin that its holding fees have eaten up", () => {
  test("is removed by a single SV once both configuration states have reached its last round", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    const dust = owner.tap(ONE_ROUND);
    const more = owner.tap(TWO_ROUNDS);
    const expire = (cid: typeof dust) =>
      network.bySv("DsoRules_Amulet_ExpireV2", { cid, choiceArg: twoStates(network) }, network.sv(3));
    expectUnmet("Amulet is expired", () => expire(dust));
    twoRoundsLater(network);
    expect(expire(dust)).toEqual({ expireSum: { owner: owner.user } });
    expect(network.sandbox.active(Amulet).map(({ contractId }) => contractId)).toEqual([more]);
    expectUnmet("Amulet is expired", () => expire(more));
    expectNotFound(() => expire(dust));
  });

  test("is removed although it is locked", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    const amulet = network.sandbox.payloadOf(Amulet, owner.tap(ONE_ROUND));
    const expiresAt = addDuration(network.sandbox.now, 365n * DAY);
    const locked = network.sandbox.create(
      LockedAmulet,
      { amulet, lock: { holders: [network.dso], expiresAt, optContext: null } },
      { actAs: [network.dso, owner.user] },
    );
    const expire = () =>
      network.bySv("DsoRules_LockedAmulet_ExpireAmuletV2", { cid: locked, choiceArg: twoStates(network) });
    expectUnmet("Amulet is expired", expire);
    twoRoundsLater(network);
    expect(expire()).toEqual({ expireSum: { owner: owner.user } });
    expect(network.sandbox.active(LockedAmulet)).toEqual([]);
  });
});

describe("a configuration state", () => {
  test("is replaced by a single SV once its time has come, by one of the rounds then open", () => {
    const network = new DsoFixture();
    const { older, newer } = configStates(network);
    network.advanceRounds();
    network.sandbox.now = addDuration(older.payload.targetArchiveAfter, -MICROSECOND);
    expectTooEarly("ExternalPartyConfigState0.targetArchiveAfter", () => replaceOlderState(network));
    network.sandbox.advance(MICROSECOND);
    const { newExternalPartyConfigStateCid } = replaceOlderState(network);
    const states = network.sandbox.active(ExternalPartyConfigState).map(({ contractId }) => contractId);
    expect(states).toEqual([newer.contractId, newExternalPartyConfigStateCid]);
    const { payload } = configStates(network).newer;
    expect(payload.holdingFeesOpenRoundNumber).toEqual({ number: 1n });
    expect(payload.targetArchiveAfter).toBe(addDuration(network.sandbox.now, 2n * DAY));
  });
});
