import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { Sandbox, type Submitting, testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, time } from "../../../values/time.ts";
import { relTime } from "../../rel-time.ts";
import { AmuletRules, type OpenMiningRoundTriple } from "../declarations/amulet-rules.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import { defaultAmuletConfig } from "./default-amulet-config.ts";

const start = time("2026-01-01T00:00:00Z");
const config = defaultAmuletConfig("sync::1");
const limits = {
  holdingFee: { rate: decimal("0.0000190259") },
  maxNumInputs: 100n,
  maxNumOutputs: 100n,
  maxNumLockHolders: 50n,
};

const statesOf = ({ sandbox }: SandboxNetwork) => sandbox.active(ExternalPartyConfigState);

function tripleOf(network: SandboxNetwork, order: readonly number[] = [0, 1, 2]): OpenMiningRoundTriple {
  const ids = network.openRounds().map(({ contractId }) => contractId);
  const [round0Cid, round1Cid, round2Cid] = order.map((i) => ids[i]);
  if (!round0Cid || !round1Cid || !round2Cid) throw new Error("three rounds are needed");
  return { round0Cid, round1Cid, round2Cid };
}

function twoOf(network: SandboxNetwork): readonly [ContractId, ContractId] {
  const [older, newer] = statesOf(network);
  if (older === undefined || newer === undefined) throw new Error("two states are needed");
  return [older.contractId, newer.contractId];
}

function replace(
  network: SandboxNetwork,
  given: { states?: readonly [ContractId, ContractId]; rounds?: OpenMiningRoundTriple; as?: Submitting } = {},
) {
  const [older, newer] = given.states ?? twoOf(network);
  return network.sandbox.exercise(
    AmuletRules,
    network.amuletRules,
    "AmuletRules_UpdateExternalPartyConfigStates",
    {
      externalPartyConfigStateCid0: older,
      externalPartyConfigStateCid1: newer,
      openMiningRoundTriple: given.rounds ?? tripleOf(network),
    },
    given.as ?? { actAs: [network.dso] },
  );
}

describe("ExternalPartyConfigState", () => {
  test("is allowed to the DSO alone", () => {
    const dso = testParty("DSO");
    const payload = {
      dso,
      holdingFeesOpenRoundNumber: { number: 0n },
      amuletPrice: decimal("0.005"),
      transferConfig: limits,
      targetArchiveAfter: start,
    };
    const create = (party: PartyId) =>
      new Sandbox().create(ExternalPartyConfigState, payload, { actAs: [party] });
    expect(create(dso)).toBeTypeOf("string");
    expectUnauthorized(() => create(testParty("alice")));
  });
});

describe("the first configuration states", () => {
  test("copy the oldest round's number and the price and limits of the newest usable one, a day apart", () => {
    const network = new SandboxNetwork({ now: start, initialRound: 5n });
    const { dso } = network;
    const copied = {
      dso,
      holdingFeesOpenRoundNumber: { number: 5n },
      amuletPrice: decimal("0.005"),
      transferConfig: limits,
    };
    expect(statesOf(network).map(({ payload }) => payload)).toEqual([
      { ...copied, targetArchiveAfter: time("2026-01-02T00:00:00Z") },
      { ...copied, targetArchiveAfter: time("2026-01-03T00:00:00Z") },
    ]);
  });

  test("are as far apart as the configuration says", () => {
    const externalPartyConfigStateTickDuration = relTime(HOUR);
    const network = new SandboxNetwork({
      now: start,
      config: { ...config, externalPartyConfigStateTickDuration },
    });
    expect(statesOf(network).map(({ payload }) => payload.targetArchiveAfter)).toEqual([
      time("2026-01-01T01:00:00Z"),
      time("2026-01-01T02:00:00Z"),
    ]);
  });

  test("need the DSO that the caller expects", () => {
    const network = new SandboxNetwork();
    const bootstrap = (expectedDso: PartyId) =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_BootstrapExternalPartyConfigState",
        { openMiningRoundTriple: tripleOf(network), expectedDso },
        { actAs: [network.dso] },
      );
    expect(rejectionOf(() => bootstrap(testParty("OTHER-DSO"))).cause).toContain("OTHER-DSO");
    expect(bootstrap(network.dso)).toEqual({});
  });
});

describe("AmuletRules_UpdateExternalPartyConfigStates", () => {
  test("replaces the older one by one that lives for two days", () => {
    const network = new SandboxNetwork({ now: start });
    const { sandbox, dso } = network;
    network.advanceRounds(decimal("0.006"));
    network.advanceRounds(decimal("0.007"));
    const [older, newer] = twoOf(network);
    sandbox.now = addDuration(start, DAY);
    const { newExternalPartyConfigStateCid } = replace(network);
    expect(sandbox.isActive(older)).toBe(false);
    expect(statesOf(network).map(({ contractId }) => contractId)).toEqual([
      newer,
      newExternalPartyConfigStateCid,
    ]);
    // Rounds 2, 3 and 4 are open by now; 4 has the newest price.
    expect(sandbox.payloadOf(ExternalPartyConfigState, newExternalPartyConfigStateCid)).toEqual({
      dso,
      holdingFeesOpenRoundNumber: { number: 2n },
      amuletPrice: decimal("0.007"),
      transferConfig: limits,
      targetArchiveAfter: time("2026-01-04T00:00:00Z"),
    });
    expect(shapeOf(sandbox)).toEqual([
      "AmuletRules_UpdateExternalPartyConfigStates AmuletRules",
      "Archive ExternalPartyConfigState",
      "create ExternalPartyConfigState",
    ]);
  });

  test("takes price and limits of the newest round that is open already", () => {
    const network = new SandboxNetwork({
      now: start,
      config: { ...config, externalPartyConfigStateTickDuration: relTime(10n * MINUTE) },
    });
    // At 00:10 round 2 opens; round 3, at another price, opens ten minutes later.
    network.advanceRounds(decimal("0.006"));
    const { newExternalPartyConfigStateCid } = replace(network);
    const state = network.sandbox.payloadOf(ExternalPartyConfigState, newExternalPartyConfigStateCid);
    expect(state.holdingFeesOpenRoundNumber.number).toBe(1n);
    expect(state.amuletPrice).toBe(decimal("0.005"));
    expect(state.targetArchiveAfter).toBe(time("2026-01-01T00:30:00Z"));
  });

  test("is due when the older one's time has come, not one microsecond before", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.now = addDuration(start, DAY - 1n);
    expectTooEarly("ExternalPartyConfigState0.targetArchiveAfter", () => replace(network));
    network.sandbox.advance(1n);
    replace(network);
  });

  test("takes the older one first", () => {
    const network = new SandboxNetwork({ now: start });
    const [older, newer] = twoOf(network);
    network.sandbox.now = addDuration(start, 3n * DAY);
    expectUnmet(
      "ExternalPartyConfigState0.targetArchiveAfter <= ExternalPartyConfigState1.targetArchiveAfter",
      () => replace(network, { states: [newer, older] }),
    );
  });

  test("takes the three rounds in order", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.now = addDuration(start, DAY);
    expectUnmet("round1 = round0 + 1", () => replace(network, { rounds: tripleOf(network, [1, 0, 2]) }));
    expectUnmet("round2 = round1 + 1", () => replace(network, { rounds: tripleOf(network, [0, 1, 1]) }));
  });

  test("needs a round that is open", () => {
    const network = new SandboxNetwork({ now: start });
    const { sandbox, dso } = network;
    sandbox.now = addDuration(start, DAY);
    const opensAt = addDuration(sandbox.now, 1n);
    const [round0Cid, round1Cid, round2Cid] = network
      .openRounds()
      .map(({ payload }) => sandbox.create(OpenMiningRound, { ...payload, opensAt }, { actAs: [dso] }));
    if (!round0Cid || !round1Cid || !round2Cid) throw new Error("three rounds are needed");
    const rounds = { round0Cid, round1Cid, round2Cid };
    expect(rejectionOf(() => replace(network, { rounds })).cause).toContain("maximumOn: empty list");
  });

  test("is exercised by the DSO alone", () => {
    const network = new SandboxNetwork({ now: start });
    network.sandbox.now = addDuration(start, DAY);
    const as = { actAs: [testParty("alice")], readAs: [network.dso] };
    expectUnauthorized(() => replace(network, { as }));
  });
});
