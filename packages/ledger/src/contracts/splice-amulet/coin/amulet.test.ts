import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../../testing/archive-contract.ts";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { Sandbox, type Submitting, testParty } from "../../../../testing/sandbox.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { Holding, HoldingView } from "../../splice-api-token-v1/holding.ts";
import { Amulet } from "../declarations/amulet.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";
import { amulet } from "./amulet.ts";

const alice = testParty("alice");
const dso = testParty("DSO");
const coin: Amulet = {
  dso,
  owner: alice,
  amount: {
    initialAmount: decimal("200.0"),
    createdAt: { number: 28n },
    ratePerRound: { rate: decimal("0.0038051800") },
  },
};

describe("Amulet", () => {
  test.each([{ actAs: [alice] }, { actAs: [dso] }])("needs both signatures: %j", (as) => {
    expectUnauthorized(() => new Sandbox().create(Amulet, coin, as));
  });

  test.each([
    ["no amount", { initialAmount: decimal("0.0") }],
    ["a negative amount", { initialAmount: decimal("-1.0") }],
    ["a negative rate", { ratePerRound: { rate: decimal("-0.0000000001") } }],
    ["a negative round", { createdAt: { number: -1n } }],
  ])("cannot have %s", (_what, given) => {
    const wrong = { ...coin, amount: { ...coin.amount, ...given } };
    const create = () => new Sandbox().create(Amulet, wrong, { actAs: [alice, dso] });
    expect(rejectionOf(create).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test("may have no holding fee", () => {
    const free = { ...coin, amount: { ...coin.amount, ratePerRound: { rate: decimal("0.0") } } };
    const sandbox = new Sandbox();
    expect(sandbox.isActive(sandbox.create(Amulet, free, { actAs: [alice, dso] }))).toBe(true);
  });

  test("is archived by both signatories together, not by its owner alone", () => {
    const sandbox = new Sandbox();
    const cid = sandbox.create(Amulet, coin, { actAs: [alice, dso] });
    expectUnauthorized(() => archiveContract(sandbox, Amulet, cid, { actAs: [alice] }));
    expectUnauthorized(() => archiveContract(sandbox, Amulet, cid, { actAs: [dso] }));
    archiveContract(sandbox, Amulet, cid, { actAs: [alice, dso] });
    expect(sandbox.isActive(cid)).toBe(false);
  });

  test("is a holding of its full amount, with round and rate as metadata", () => {
    const view = amulet.interfaces.get(Holding.id)?.view(coin) as HoldingView;
    expect(view).toEqual({
      owner: alice,
      instrumentId: { admin: dso, id: "Amulet" },
      amount: decimal("200.0"),
      lock: null,
      meta: {
        values: [
          ["amulet.splice.lfdecentralizedtrust.org/created-in-round", "28"],
          ["amulet.splice.lfdecentralizedtrust.org/rate-per-round", "0.00380518"],
        ],
      },
    });
    expect(HoldingView.decode(JSON.parse(HoldingView.encode(view)))).toEqual(view);
  });
});

describe("Amulet_ExpireV2", () => {
  /** Used up in round 3: it was made in round 1 and is worth a little more than one round's fee. */
  const dust = {
    ...coin,
    amount: { ...coin.amount, initialAmount: decimal("0.0038051801"), createdAt: { number: 1n } },
  };

  function withStates(first: bigint, second: bigint, owner: { amulet?: Amulet; statesOf?: PartyId } = {}) {
    const { sandbox } = new SandboxNetwork();
    const cid = sandbox.create(Amulet, owner.amulet ?? dust, { actAs: [alice, dso] });
    const state = (number: bigint): ContractId => {
      const [template] = sandbox.active(ExternalPartyConfigState);
      if (template === undefined) throw new Error("the network has no configuration state");
      const by = owner.statesOf ?? dso;
      const payload = { ...template.payload, dso: by, holdingFeesOpenRoundNumber: { number } };
      return sandbox.create(ExternalPartyConfigState, payload, { actAs: [by] });
    };
    const states = {
      externalPartyConfigState0Cid: state(first),
      externalPartyConfigState1Cid: state(second),
    };
    const expire = (given: Partial<typeof states> = {}, as: Submitting = { actAs: [dso] }) =>
      sandbox.exercise(Amulet, cid, "Amulet_ExpireV2", { ...states, ...given }, as);
    return { sandbox, cid, states, expire };
  }

  test.each([
    [3n, 3n],
    [3n, 4n],
    [100n, 3n],
  ])("removes a coin used up in round 3 once the states are at %s and %s", (first, second) => {
    const { sandbox, cid, expire } = withStates(first, second);
    expect(expire()).toEqual({
      expireSum: { owner: alice },
      meta: {
        values: [
          ["splice.lfdecentralizedtrust.org/burned", "0.0038051801"],
          ["splice.lfdecentralizedtrust.org/tx-kind", "expire-dust"],
        ],
      },
    });
    expect(sandbox.isActive(cid)).toBe(false);
    expect(sandbox.active(Amulet)).toEqual([]);
  });

  test.each([
    [2n, 2n],
    [2n, 3n],
    [3n, 2n],
    [100n, 2n],
  ])("is refused while the states are at %s and %s: the lower one counts", (first, second) => {
    const { sandbox, cid, expire } = withStates(first, second);
    expectUnmet("Amulet is expired", () => expire());
    expect(sandbox.isActive(cid)).toBe(true);
  });

  test("wants two different states", () => {
    const { states, expire } = withStates(3n, 3n);
    const { externalPartyConfigState0Cid } = states;
    expectUnmet("externalPartyConfigState0Cid /= externalPartyConfigState1Cid", () =>
      expire({ externalPartyConfigState1Cid: externalPartyConfigState0Cid }),
    );
  });

  test("wants states of the coin's DSO: others it cannot even read", () => {
    const { sandbox, expire } = withStates(3n, 3n, { statesOf: testParty("OTHER-DSO") });
    const disclose = sandbox.active(ExternalPartyConfigState).map(({ contractId }) => contractId);
    expectUnauthorized(() => expire({}, { actAs: [dso], disclose }));
    expectNotFound(() => expire());
  });

  test("wants states that its owner's signature does not stand in for", () => {
    // The owner of the coin may happen to sign such a state; it is still not the DSO's.
    const { sandbox, expire } = withStates(3n, 3n, { statesOf: alice });
    const disclose = sandbox.active(ExternalPartyConfigState).map(({ contractId }) => contractId);
    expectOtherGroup("ExternalPartyConfigState", () => expire({}, { actAs: [dso], disclose }));
  });

  test("never removes a coin that lasts for ever", () => {
    const amount = { ...coin.amount, initialAmount: decimal("999999999999999999999999999.0") };
    const { expire } = withStates(2n ** 63n - 1n, 2n ** 63n - 1n, { amulet: { ...coin, amount } });
    expectUnmet("Amulet is expired", () => expire());
  });

  test("aborts for a coin without a holding fee", () => {
    const amount = { ...coin.amount, ratePerRound: { rate: decimal("0.0") } };
    const { expire } = withStates(2n ** 63n - 1n, 2n ** 63n - 1n, { amulet: { ...coin, amount } });
    const { code, cause } = rejectionOf(() => expire());
    expect(code).toBe("DAML_FAILURE");
    expect(cause).toContain("boundedDivDecimal: negative second operand 0.0");
  });

  test("is exercised by the DSO, not by the owner", () => {
    const { sandbox, expire } = withStates(3n, 3n);
    const disclose = sandbox.active(ExternalPartyConfigState).map(({ contractId }) => contractId);
    expectUnauthorized(() => expire({}, { actAs: [alice], disclose }));
  });
});

describe("Amulet_Expire", () => {
  test("is deprecated: it always aborts", () => {
    const network = new SandboxNetwork();
    const cid = network.tap(alice, "1.0");
    const roundCid = network.usableRound().contractId;
    const { code, cause } = rejectionOf(() =>
      network.sandbox.exercise(Amulet, cid, "Amulet_Expire", { roundCid }, { actAs: [network.dso] }),
    );
    expect(code).toBe("DAML_FAILURE");
    expect(cause).toBe(
      `${GENERAL_ERROR}Choice "Amulet_Expire" is no longer supported since "splice-amulet"-"0.1.17"`,
    );
    expect(network.sandbox.isActive(cid)).toBe(true);
  });
});
