import { describe, expect, test } from "vitest";
import { DsoFixture, ENTRY_LIFETIME, RENEWAL_DURATION } from "../../../testing/dso-fixture.ts";
import { appContext, collectRenewal, NameOwner } from "../../../testing/dso-names.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ArgumentOf } from "../../engine/declaration.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY, MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { OpenMiningRound } from "../splice-amulet/declarations/round.ts";
import { AnsEntry } from "../splice-amulet-name-service/declarations/ans.ts";
import { DsoRules } from "../splice-dso-governance/declarations/dso-rules.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayment,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare } from "./declarations/names.ts";

type Return = ArgumentOf<(typeof NameCare)["choices"]["NameCare_ReturnRenewalPayment"]>;

/** A name whose renewal has been paid for in its window, and not collected. */
function renewalPaid() {
  const network = new DsoFixture();
  const owner = new NameOwner(network, "alice");
  const name = owner.register({ name: "alice.unverified.cns" });
  owner.tap("200.0");
  network.sandbox.advance(ENTRY_LIFETIME - RENEWAL_DURATION);
  const idle = network.sandbox.payloadOf(SubscriptionIdleState, name.idleStateCid);
  const paymentCid = owner.payRenewal(name.idleStateCid);
  const { round } = network.sandbox.payloadOf(SubscriptionPayment, paymentCid);
  return { network, sandbox: network.sandbox, owner, ...name, idle, paymentCid, round: round.number };
}

function giveBack(
  network: DsoFixture,
  paymentCid: ContractId,
  given: Partial<Return> & { readonly as?: PartyId } = {},
) {
  const newest = network.openRounds().at(-1)?.payload.round.number ?? 0n;
  const { as = given.sv ?? network.sv(2), ...changed } = given;
  const argument = {
    sv: network.sv(2),
    dsoRulesCid: network.dsoRules,
    paymentCid,
    transferContext: appContext(network, newest),
    ...changed,
  };
  const care = network.only(NameCare).contractId;
  return network.sandbox.exercise(
    NameCare,
    care,
    "NameCare_ReturnRenewalPayment",
    argument,
    network.asSv(as),
  );
}

const STILL_GOOD = "Renewal can no longer be collected";

describe("a renewal that can no longer be collected", () => {
  test("is returned once it is due: the coin that was locked, and the subscription unchanged", () => {
    const { network, sandbox, owner, idle, paymentCid, round } = renewalPaid();
    sandbox.advance(RENEWAL_DURATION);
    const { contractId: locked, payload: lock } = network.only(LockedAmulet);
    expect(lock.amulet.amount.initialAmount).toBe(decimal("200.0"));
    const returned = giveBack(network, paymentCid);
    expect(owner.coins()).toEqual([{ contractId: returned.amuletSum.amulet, payload: lock.amulet }]);
    expect(returned.amuletSum).toEqual({
      amulet: returned.amuletSum.amulet,
      amuletPrice: decimal("0.005"),
      // All rounds have opened in the meantime, so the wallet paid in the newest: the one the SV names.
      round: { number: round },
    });
    expect(sandbox.payloadOf(SubscriptionIdleState, returned.subscriptionState)).toEqual(idle);
    const transaction = sandbox.lastTransaction;
    expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([
      paymentCid,
      locked,
    ]);
    expect(transaction && listCreated(transaction).map((node) => node.contract.contractId)).toEqual([
      returned.subscriptionState,
      returned.amuletSum.amulet,
    ]);
    expectNotFound(() => giveBack(network, paymentCid));
  });

  test.each([
    { when: "one microsecond before it is due", after: RENEWAL_DURATION - MICROSECOND, comesBack: false },
    { when: "when it is due", after: RENEWAL_DURATION, comesBack: true },
    { when: "one microsecond after it was due", after: RENEWAL_DURATION + MICROSECOND, comesBack: true },
  ])("comes back $when, its round still open: $comesBack", ({ after, comesBack }) => {
    const { network, sandbox, owner, contextCid, entryCid, paymentCid } = renewalPaid();
    sandbox.advance(after);
    if (comesBack) {
      expectUnmet("Current entry is not expired", () =>
        collectRenewal(network, { contextCid, entryCid, paymentCid }),
      );
      giveBack(network, paymentCid);
      expect(owner.coins()).toHaveLength(1);
    } else {
      expectUnmet(STILL_GOOD, () => giveBack(network, paymentCid));
      collectRenewal(network, { contextCid, entryCid, paymentCid });
      expect(owner.coins()).toHaveLength(0);
    }
  });

  test("is returned once its round has closed, which shows in a round three later, and not before", () => {
    const { network, owner, contextCid, entryCid, paymentCid, round } = renewalPaid();
    network.advanceRounds();
    expectUnmet(STILL_GOOD, () => giveBack(network, paymentCid));
    network.advanceRounds();
    expect(network.openRounds().map(({ payload }) => payload.round.number)).toEqual([
      round,
      round + 1n,
      round + 2n,
    ]);
    expectUnmet(STILL_GOOD, () => giveBack(network, paymentCid));
    network.advanceRounds();
    // The newest of the open rounds shows it, the others do not.
    for (const number of [round + 1n, round + 2n]) {
      const transferContext = appContext(network, number);
      expectUnmet(STILL_GOOD, () => giveBack(network, paymentCid, { transferContext }));
    }
    expect(network.only(AnsEntry).payload.expiresAt - network.sandbox.now).toBeGreaterThan(29n * DAY);
    giveBack(network, paymentCid);
    expect(owner.coins()).toHaveLength(1);
    // The owner can pay again, in a round that is open.
    const again = owner.payRenewal(network.only(SubscriptionIdleState).contractId);
    collectRenewal(network, { contextCid, entryCid, paymentCid: again });
    expect(network.sandbox.active(AnsEntry)).toHaveLength(1);
  });

  test("is returned if it was paid after its due date, as the ledger allows", () => {
    const network = new DsoFixture();
    const owner = new NameOwner(network, "alice");
    const { idleStateCid } = owner.register({ name: "alice.unverified.cns" });
    owner.tap("200.0");
    network.sandbox.advance(ENTRY_LIFETIME + DAY);
    const paymentCid = owner.payRenewal(idleStateCid);
    expect(owner.coins()).toEqual([]);
    giveBack(network, paymentCid);
    expect(owner.coins().map(({ payload }) => payload.amount.initialAmount)).toEqual([decimal("200.0")]);
  });
});

describe("giving a renewal back", () => {
  test("is for SVs, each in its own name", () => {
    const { network, sandbox, owner, paymentCid } = renewalPaid();
    sandbox.advance(RENEWAL_DURATION);
    const { user } = owner;
    expectUnmet("SV party is an actual SV", () => giveBack(network, paymentCid, { sv: user, as: user }));
    expectUnauthorized(() => giveBack(network, paymentCid, { sv: network.sv(0), as: network.sv(1) }));
    expectUnauthorized(() => giveBack(network, paymentCid, { sv: network.sv(0), as: user }));
  });

  test("is no longer for an SV that was offboarded", () => {
    const { network, sandbox, paymentCid } = renewalPaid();
    sandbox.advance(RENEWAL_DURATION);
    const before = network.dsoRules;
    const gone = network.sv(3);
    network.offboardSv(gone);
    expectUnmet("SV party is an actual SV", () => giveBack(network, paymentCid, { sv: gone }));
    expectNotFound(() => giveBack(network, paymentCid, { sv: gone, dsoRulesCid: before }));
  });

  test("refuses DsoRules that another party signed", () => {
    const { network, sandbox, paymentCid } = renewalPaid();
    sandbox.advance(RENEWAL_DURATION);
    const mallory = testParty("mallory");
    const { payload } = network.only(DsoRules);
    const [founder] = payload.svs;
    if (founder === undefined) throw new Error("there are SVs");
    const own = { ...payload, dso: mallory, svs: [[mallory, founder[1]]] as const };
    const forged = sandbox.create(DsoRules, own, { actAs: [mallory] });
    const care = network.only(NameCare).contractId;
    const transferContext = appContext(network, 2n);
    const argument = {
      sv: mallory,
      dsoRulesCid: forged,
      paymentCid,
      transferContext,
    };
    const disclose = [care, paymentCid, transferContext.openMiningRound];
    const as = { actAs: [mallory], disclose };
    expectOtherGroup("DsoRules", () =>
      sandbox.exercise(NameCare, care, "NameCare_ReturnRenewalPayment", argument, as),
    );
  });

  test("refuses a round that an SV signed in place of the DSO", () => {
    const { network, sandbox, paymentCid, round } = renewalPaid();
    const sv = network.sv(2);
    const [open] = network.openRounds();
    if (open === undefined) throw new Error("rounds are open");
    const forged = sandbox.create(
      OpenMiningRound,
      { ...open.payload, dso: sv, round: { number: round + 3n } },
      { actAs: [sv] },
    );
    const transferContext = { ...appContext(network, round), openMiningRound: forged };
    expectOtherGroup("OpenMiningRound", () => giveBack(network, paymentCid, { transferContext }));
  });

  test.each(["dso", "receiver"] as const)("fails for a payment with another %s", (field) => {
    const { network, sandbox, owner, paymentCid } = renewalPaid();
    sandbox.advance(RENEWAL_DURATION);
    const payment = sandbox.payloadOf(SubscriptionPayment, paymentCid);
    const subscriptionData = { ...payment.subscriptionData, [field]: network.sv(2) };
    const parties = [owner.user, network.dso, network.sv(2)];
    const subscription = sandbox.create(
      Subscription,
      { subscriptionData, reference: payment.reference },
      { actAs: parties },
    );
    const other = sandbox.create(
      SubscriptionPayment,
      { ...payment, subscription, subscriptionData },
      { actAs: parties },
    );
    expectOtherGroup("SubscriptionPayment", () => giveBack(network, other));
  });
});

test("only the DSO creates NameCare", () => {
  const network = new DsoFixture({ svCount: 1 });
  expectUnauthorized(() => network.sandbox.create(NameCare, { dso: network.dso }, network.asSv()));
});
