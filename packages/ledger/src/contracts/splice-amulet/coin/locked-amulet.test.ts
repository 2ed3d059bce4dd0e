import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { Sandbox, type Submitting, testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY } from "../../../values/duration.ts";
import { addDuration, time } from "../../../values/time.ts";
import { Holding, HoldingView } from "../../splice-api-token-v1/holding.ts";
import { Amulet, LockedAmulet } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";
import { lockedAmulet } from "./locked-amulet.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const carol = testParty("carol");
const dso = testParty("DSO");
const start = time("2026-01-01T00:00:00Z");
const expiresAt = time("2026-01-03T00:00:00Z");
const coin: Amulet = {
  dso,
  owner: alice,
  amount: {
    initialAmount: decimal("100.0"),
    createdAt: { number: 7n },
    ratePerRound: { rate: decimal("0.0038051800") },
  },
};
const locked: LockedAmulet = {
  amulet: coin,
  lock: { holders: [bob, carol], expiresAt, optContext: "a test" },
};
const everybody = { actAs: [alice, bob, carol, dso] };

function withLocked(payload: LockedAmulet = locked) {
  const sandbox = new Sandbox({ now: start });
  return { sandbox, cid: sandbox.create(LockedAmulet, payload, everybody) };
}

describe("LockedAmulet", () => {
  test.each(everybody.actAs)(
    "needs every holder, the owner and the DSO to sign: not without %s",
    (missing) => {
      const actAs = everybody.actAs.filter((party) => party !== missing);
      expectUnauthorized(() => new Sandbox().create(LockedAmulet, locked, { actAs }));
    },
  );

  test("may have no lock holders", () => {
    const sandbox = new Sandbox();
    const unheld = { ...locked, lock: { ...locked.lock, holders: [] } };
    expect(sandbox.isActive(sandbox.create(LockedAmulet, unheld, { actAs: [alice, dso] }))).toBe(true);
  });

  test("is a holding that shows its lock", () => {
    const view = lockedAmulet.interfaces.get(Holding.id)?.view(locked) as HoldingView;
    expect(view).toEqual({
      owner: alice,
      instrumentId: { admin: dso, id: "Amulet" },
      amount: decimal("100.0"),
      lock: { holders: [bob, carol], expiresAt, expiresAfter: null, context: "a test" },
      meta: {
        values: [
          ["amulet.splice.lfdecentralizedtrust.org/created-in-round", "7"],
          ["amulet.splice.lfdecentralizedtrust.org/rate-per-round", "0.00380518"],
        ],
      },
    });
    expect(HoldingView.decode(JSON.parse(HoldingView.encode(view)))).toEqual(view);
  });
});

describe("LockedAmulet_UnlockV2", () => {
  const unlock = (as: Submitting) => {
    const { sandbox, cid } = withLocked();
    return { sandbox, cid, result: sandbox.exercise(LockedAmulet, cid, "LockedAmulet_UnlockV2", {}, as) };
  };

  test("gives back the very coin that was locked, with its round and rate", () => {
    const { sandbox, cid, result } = unlock({ actAs: [alice, bob, carol] });
    expect(sandbox.isActive(cid)).toBe(false);
    expect(sandbox.active(Amulet)).toEqual([{ contractId: result.amuletCid, payload: coin }]);
    expect(result.meta).toEqual({
      values: [
        ["splice.lfdecentralizedtrust.org/reason", "holders released lock"],
        ["splice.lfdecentralizedtrust.org/tx-kind", "unlock"],
      ],
    });
    expect(shapeOf(sandbox)).toEqual(["LockedAmulet_UnlockV2 LockedAmulet", "create Amulet"]);
  });

  test.each([{ actAs: [alice, bob] }, { actAs: [alice, carol] }, { actAs: [bob, carol] }, { actAs: [dso] }])(
    "needs the owner and every holder: $actAs are not enough",
    ({ actAs }) => {
      expectUnauthorized(() => unlock({ actAs }));
    },
  );

  test("works once", () => {
    const { sandbox, cid } = unlock({ actAs: [alice, bob, carol] });
    expectNotFound(() =>
      sandbox.exercise(LockedAmulet, cid, "LockedAmulet_UnlockV2", {}, { actAs: [alice, bob, carol] }),
    );
  });
});

describe("LockedAmulet_OwnerExpireLockV2", () => {
  const expireLock = (at: bigint, as: Submitting = { actAs: [alice] }) => {
    const { sandbox, cid } = withLocked();
    sandbox.now = addDuration(expiresAt, at);
    const result = sandbox.exercise(LockedAmulet, cid, "LockedAmulet_OwnerExpireLockV2", {}, as);
    return { sandbox, cid, result };
  };

  test.each([-2n * DAY, -1n])("is refused %s µs from the end of the lock", (at) => {
    expectTooEarly("Lock.expiresAt", () => expireLock(at));
  });

  test.each([0n, 1n])("gives the coin back to its owner alone %s µs after the end", (at) => {
    const { sandbox, cid, result } = expireLock(at);
    expect(sandbox.isActive(cid)).toBe(false);
    expect(sandbox.active(Amulet)).toEqual([{ contractId: result.amuletCid, payload: coin }]);
    expect(result.meta).toEqual({
      values: [
        ["splice.lfdecentralizedtrust.org/reason", "lock expired"],
        ["splice.lfdecentralizedtrust.org/tx-kind", "unlock"],
      ],
    });
  });

  test.each([bob, dso])("is refused to %s", (party) => {
    expectUnauthorized(() => expireLock(0n, { actAs: [party] }));
  });
});

describe("LockedAmulet_ExpireAmuletV2", () => {
  /** One round's fee, made in round 7: used up in round 8. */
  const dust = { ...coin, amount: { ...coin.amount, initialAmount: decimal("0.0038051800") } };

  function expireAt(round: bigint, as: Submitting = { actAs: [dso] }) {
    const { sandbox } = new SandboxNetwork({ now: start, initialRound: round });
    const cid = sandbox.create(LockedAmulet, { ...locked, amulet: dust }, everybody);
    const [first, second] = sandbox.active(ExternalPartyConfigState).map(({ contractId }) => contractId);
    if (first === undefined || second === undefined)
      throw new Error("the network has no configuration states");
    const states = { externalPartyConfigState0Cid: first, externalPartyConfigState1Cid: second };
    const disclose = [first, second];
    const result = sandbox.exercise(LockedAmulet, cid, "LockedAmulet_ExpireAmuletV2", states, {
      disclose,
      ...as,
    });
    return { sandbox, cid, result };
  }

  test("removes a used-up coin though its lock is running", () => {
    const { sandbox, cid, result } = expireAt(8n);
    expect(result).toEqual({
      expireSum: { owner: alice },
      meta: {
        values: [
          ["splice.lfdecentralizedtrust.org/burned", "0.00380518"],
          ["splice.lfdecentralizedtrust.org/tx-kind", "expire-dust"],
        ],
      },
    });
    expect(sandbox.isActive(cid)).toBe(false);
    expect(sandbox.active(Amulet)).toEqual([]);
  });

  test("is refused one round earlier", () => {
    expectUnmet("Amulet is expired", () => expireAt(7n));
  });

  test.each([alice, bob])("is refused to %s", (party) => {
    expectUnauthorized(() => expireAt(8n, { actAs: [party] }));
  });
});

describe("coin expiry on a running network", () => {
  test("lags behind the rounds: it needs the configuration states to follow, a day each", () => {
    const network = new SandboxNetwork({ now: start });
    const { sandbox } = network;
    // A little more than one round's fee, made in round 1: used up in round 3.
    const cid = network.tap(alice, "0.0038051801");
    const states = () => sandbox.active(ExternalPartyConfigState).map(({ contractId }) => contractId);
    const asDso = { actAs: [network.dso] };
    const expire = () => {
      const [first, second] = states();
      if (first === undefined || second === undefined) throw new Error("two states are needed");
      const argument = { externalPartyConfigState0Cid: first, externalPartyConfigState1Cid: second };
      return sandbox.exercise(Amulet, cid, "Amulet_ExpireV2", argument, asDso);
    };
    const replaceOlder = () => {
      const [older, newer] = states();
      const [round0, round1, round2] = network.openRounds().map(({ contractId }) => contractId);
      if (!older || !newer || !round0 || !round1 || !round2) throw new Error("states and rounds are needed");
      sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_UpdateExternalPartyConfigStates",
        {
          externalPartyConfigStateCid0: older,
          externalPartyConfigStateCid1: newer,
          openMiningRoundTriple: { round0Cid: round0, round1Cid: round1, round2Cid: round2 },
        },
        asDso,
      );
    };
    for (let i = 0; i < 3; i++) network.advanceRounds();
    expect(network.openRounds()[0]?.payload.round.number).toBe(3n);
    expectUnmet("Amulet is expired", expire);
    sandbox.now = addDuration(start, DAY);
    replaceOlder();
    expectUnmet("Amulet is expired", expire);
    sandbox.now = addDuration(start, 2n * DAY);
    replaceOlder();
    expect(expire().expireSum.owner).toBe(alice);
    expect(sandbox.isActive(cid)).toBe(false);
  });
});

describe("deprecated choices of LockedAmulet", () => {
  test.each(["LockedAmulet_Unlock", "LockedAmulet_OwnerExpireLock"] as const)(
    "%s always aborts",
    (choice) => {
      const { sandbox, cid } = withLocked();
      sandbox.now = addDuration(expiresAt, 1n);
      const { code, cause } = rejectionOf(() =>
        sandbox.exercise(LockedAmulet, cid, choice, { openRoundCid: cid }, everybody),
      );
      expect(code).toBe("DAML_FAILURE");
      expect(cause).toBe(
        `${GENERAL_ERROR}Choice "${choice}" is no longer supported since "splice-amulet"-"0.1.17"`,
      );
      expect(sandbox.isActive(cid)).toBe(true);
    },
  );

  test("LockedAmulet_ExpireAmulet always aborts", () => {
    const { sandbox, cid } = withLocked();
    const { cause } = rejectionOf(() =>
      sandbox.exercise(LockedAmulet, cid, "LockedAmulet_ExpireAmulet", { roundCid: cid }, everybody),
    );
    expect(cause).toContain(
      'Choice "LockedAmulet_ExpireAmulet" is no longer supported since "splice-amulet"-"0.1.17"',
    );
  });
});
