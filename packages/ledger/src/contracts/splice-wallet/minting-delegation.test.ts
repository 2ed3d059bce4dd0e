import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooLate,
  expectUnauthorized,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { alice, bob, inputAmulet, validator } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { FeaturedAppActivityMarker } from "../splice-amulet/declarations/amulet.ts";
import { UnclaimedActivityRecord } from "../splice-amulet/declarations/reward-coupons.ts";
import { MintingDelegation, MintingDelegationProposal } from "./declarations/minting-delegation.ts";

const expiresAt = time("2026-01-01T00:05:00Z");

interface Terms {
  readonly beneficiary?: PartyId;
  readonly delegate?: PartyId;
  readonly dso?: PartyId;
  readonly amuletMergeLimit?: bigint;
}

function delegating() {
  const network = new WalletNetwork();
  const { sandbox } = network;
  /** Alice lets the validator mint for her, unless said otherwise. */
  const propose = (terms: Terms = {}): ContractId => {
    const given = {
      beneficiary: alice,
      delegate: validator,
      dso: network.dso,
      amuletMergeLimit: 10n,
      ...terms,
    };
    const delegation = { ...given, expiresAt };
    return sandbox.create(MintingDelegationProposal, { delegation }, { actAs: [given.beneficiary] });
  };
  const accept = (proposal: ContractId, existing: ContractId | null = null, actAs = [validator]) =>
    sandbox.exercise(
      MintingDelegationProposal,
      proposal,
      "MintingDelegationProposal_Accept",
      { existingDelegationCid: existing },
      { actAs, readAs: [alice] },
    ).mintingDelegationCid;
  return { network, sandbox, propose, accept };
}

describe("a proposal", () => {
  test("becomes a delegation as it stands when the delegate accepts it", () => {
    const { network, sandbox, propose, accept } = delegating();
    const proposal = propose();
    expect(sandbox.payloadOf(MintingDelegation, accept(proposal))).toEqual({
      beneficiary: alice,
      delegate: validator,
      dso: network.dso,
      expiresAt,
      amuletMergeLimit: 10n,
    });
    expect(changesOf(sandbox)).toEqual({
      archived: ["MintingDelegationProposal"],
      created: ["MintingDelegation"],
    });
    expectNotFound(() => accept(proposal));
  });

  test("replaces the delegation between the same two", () => {
    const { sandbox, propose, accept } = delegating();
    const existing = accept(propose());
    const renewed = accept(propose({ amuletMergeLimit: 20n }), existing);
    expect(sandbox.active(MintingDelegation).map(({ contractId }) => contractId)).toEqual([renewed]);
  });

  test("does not replace a delegation of another beneficiary or DSO", () => {
    const { propose, accept } = delegating();
    const existing = accept(propose());
    for (const other of [{ beneficiary: bob }, { dso: testParty("other-dso") }]) {
      const proposal = propose(other);
      expectOtherGroup("MintingDelegation", () => accept(proposal, existing));
    }
  });

  test("does not replace a delegation to another delegate", () => {
    const { propose, accept } = delegating();
    const toValidator = accept(propose());
    const toBob = propose({ delegate: bob });
    expectUnauthorized(() => accept(toBob, toValidator, [bob, validator]));
    // To herself: her authority would be enough to end it.
    const toAlice = accept(propose({ delegate: alice }), null, [alice]);
    const proposal = propose();
    const { cause, context } = rejectionOf(() => accept(proposal, toAlice));
    expect(cause).toContain(`'${alice}' and '${validator}' are not equal.`);
    expect(context["error_id"]).toBe("UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed");
  });

  test("is made and withdrawn by the beneficiary, accepted and rejected by the delegate", () => {
    const { network, sandbox, propose, accept } = delegating();
    const proposal = propose();
    const end = (
      choice: "MintingDelegationProposal_Reject" | "MintingDelegationProposal_Withdraw",
      as: PartyId,
    ) => sandbox.exercise(MintingDelegationProposal, proposal, choice, {}, { actAs: [as] });
    expectUnauthorized(() => accept(proposal, null, [alice]));
    expectUnauthorized(() => end("MintingDelegationProposal_Reject", alice));
    expectUnauthorized(() => end("MintingDelegationProposal_Withdraw", validator));
    expect(end("MintingDelegationProposal_Reject", validator)).toEqual({});
    const other = propose();
    sandbox.exercise(
      MintingDelegationProposal,
      other,
      "MintingDelegationProposal_Withdraw",
      {},
      { actAs: [alice] },
    );
    expect(sandbox.active(MintingDelegationProposal)).toEqual([]);
    const { dso } = network;
    const delegation = { beneficiary: alice, delegate: validator, dso, expiresAt, amuletMergeLimit: 1n };
    expectUnauthorized(() =>
      sandbox.create(MintingDelegationProposal, { delegation }, { actAs: [validator] }),
    );
  });
});

describe("MintingDelegation_Mint", () => {
  function delegated() {
    const { network, sandbox, propose, accept } = delegating();
    const delegationCid = accept(propose());
    const recordCid = sandbox.create(
      UnclaimedActivityRecord,
      {
        dso: network.dso,
        beneficiary: alice,
        amount: decimal("30.0"),
        reason: "",
        expiresAt: time("2026-03-01T00:00:00Z"),
      },
      { actAs: [network.dso] },
    );
    const coin = network.tap(alice, "1.5");
    const featuredAppRight = network.feature(validator);
    const mint = (actAs: readonly PartyId[] = [validator]) =>
      sandbox.exercise(
        MintingDelegation,
        delegationCid,
        "MintingDelegation_Mint",
        {
          inputs: [inputAmulet(coin), { tag: "InputUnclaimedActivityRecord", value: recordCid }],
          context: network.paymentContext({ featuredAppRight }),
        },
        { ...network.as(...actAs), readAs: [alice] },
      );
    return { network, sandbox, delegationCid, mint };
  }

  test("merges coin and rewards into one coin of the beneficiary's, and earns the delegate nothing", () => {
    const { network, sandbox, delegationCid, mint } = delegated();
    const { transferResult } = mint();
    expect(coinsOf(network, alice)).toEqual(["31.5"]);
    expect(coinsOf(network, validator)).toEqual([]);
    expect(transferResult.summary.inputUnclaimedActivityRecordAmount).toBe(decimal("30.0"));
    expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
    expect(sandbox.isActive(delegationCid)).toBe(true);
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      ["MintingDelegation_Mint", [validator]],
      ["AmuletRules_Transfer", [alice, validator]],
    ]);
  });

  test("works until one microsecond before the delegation expires", () => {
    const [early, late] = [delegated(), delegated()];
    early.sandbox.now = addDuration(expiresAt, -1n);
    late.sandbox.now = expiresAt;
    early.mint();
    expectTooLate("expiresAt", late.mint);
  });

  test("is exercised by the delegate, until either side ends the delegation", () => {
    const { sandbox, delegationCid, mint } = delegated();
    expectUnauthorized(() => mint([alice]));
    const end = (choice: "MintingDelegation_Reject" | "MintingDelegation_Withdraw", as: PartyId) =>
      sandbox.exercise(MintingDelegation, delegationCid, choice, {}, { actAs: [as] });
    expectUnauthorized(() => end("MintingDelegation_Reject", alice));
    expectUnauthorized(() => end("MintingDelegation_Withdraw", validator));
    expect(end("MintingDelegation_Withdraw", alice)).toEqual({});
    expectNotFound(mint);
    const other = delegated();
    const reject = () =>
      other.sandbox.exercise(
        MintingDelegation,
        other.delegationCid,
        "MintingDelegation_Reject",
        {},
        { actAs: [validator] },
      );
    expect(reject()).toEqual({});
  });
});
