import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { alice, bob, laFamiglia } from "../../../../testing/subscription-fixture.ts";
import { TokenNetwork } from "../../../../testing/token-fixture.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { DAY } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { LockedAmulet } from "../declarations/amulet.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { AmuletTransferInstruction } from "../declarations/amulet-transfer-instruction.ts";
import { ExternalPartyAmuletRules } from "../declarations/external-party-amulet-rules.ts";

const mallory = testParty("mallory");

interface Given {
  readonly expectedDso?: PartyId;
  readonly as?: PartyId;
  readonly expireLock?: boolean;
}

/** The two kinds of what ran out: how Alice makes one of 10 coins, and how the DSO removes several at once. */
const kinds = [
  {
    entity: "AmuletAllocation",
    of: "AmuletAllocation",
    make: (network: TokenNetwork) =>
      network.allocate(network.allocation(laFamiglia), [network.tap(alice, "10.0")]),
    deadline: "allocation.settlement.settleBefore",
    otherDso: (network: TokenNetwork, other: PartyId) =>
      `expectedDso '${other}' matches the dsoParty '${network.dso}'`,
    remove: (network: TokenNetwork, cids: readonly ContractId[], given: Given = {}) => {
      const { expectedDso = network.dso, as = network.dso, expireLock = true } = given;
      const inputs = cids.map((allocationCid) => ({ allocationCid, expireLock }));
      return network.sandbox
        .exercise(
          ExternalPartyAmuletRules,
          network.factory,
          "ExternalPartyAmuletRules_ExpireAmuletAllocations",
          { expectedDso, inputs, observers: [alice, bob] },
          network.asHolderWith(cids, as),
        )
        .results.map(({ senderHoldingCids }) => senderHoldingCids);
    },
    /** One of a token that Mallory issues and calls by the coin's name; the DSO sees it. */
    forge: (network: TokenNetwork) => {
      const instrumentId = { admin: mallory, id: "Amulet" };
      const allocation = network.allocation(network.dso, { instrumentId, sender: mallory });
      const [locked] = network.lockedCoins();
      return network.sandbox.create(
        AmuletAllocation,
        { lockedAmulet: locked?.contractId ?? expect.fail("nothing is locked"), allocation },
        { actAs: [mallory] },
      );
    },
  },
  {
    entity: "TransferInstruction",
    of: "AmuletTransferInstruction",
    make: (network: TokenNetwork) => network.offerTokens([network.tap(alice, "10.0")]),
    deadline: "Transfer.executeBefore",
    otherDso: () => "The expectedDso must match the AmuletDso",
    remove: (network: TokenNetwork, cids: readonly ContractId[], given: Given = {}) => {
      const { expectedDso = network.dso, as = network.dso, expireLock = true } = given;
      const inputs = cids.map((transferInstructionCid) => ({ transferInstructionCid, expireLock }));
      return network.sandbox
        .exercise(
          AmuletRules,
          network.amuletRules,
          "AmuletRules_Amulet_ExpireTransferInstructions",
          { expectedDso, inputs, observers: [alice, bob] },
          network.asHolderWith(cids, as),
        )
        .results.map(({ senderChangeCids }) => senderChangeCids);
    },
    forge: (network: TokenNetwork) => {
      const [locked] = network.lockedCoins();
      const lockedAmulet = locked?.contractId ?? expect.fail("nothing is locked");
      const instrumentId = { admin: mallory, id: "Amulet" };
      const given = { instrumentId, sender: mallory, receiver: network.dso };
      const transfer = network.tokenTransfer([lockedAmulet], given);
      return network.sandbox.create(
        AmuletTransferInstruction,
        { lockedAmulet, transfer },
        { actAs: [mallory] },
      );
    },
  },
] as const;

describe.each(kinds)("$of contracts that ran out", ({ entity, make, deadline, otherDso, remove, forge }) => {
  test("are removed together, and their coin goes back", () => {
    const network = new TokenNetwork();
    const cids = [make(network), make(network), make(network)];
    expectTooEarly(deadline, () => remove(network, cids));
    network.sandbox.advance(DAY);
    const results = remove(network, cids);
    expect(results.map((given) => given.length)).toEqual([1, 1, 1]);
    expect(coinsOf(network, alice)).toEqual(["10.0", "10.0", "10.0"]);
    expect(network.lockedCoins()).toEqual([]);
    expect(network.sandbox.lastTransaction?.nodes[0]).toMatchObject({
      actingParties: [network.dso],
      choiceObservers: [alice, bob],
    });
    expectNotFound(() => remove(network, cids));
  });

  test("are removed all or none", () => {
    const network = new TokenNetwork();
    const old = make(network);
    network.sandbox.advance(DAY);
    const fresh = make(network);
    expectTooEarly(deadline, () => remove(network, [old, fresh]));
    expect(network.sandbox.isActive(old)).toBe(true);
  });

  test("may have lost their coin before", () => {
    const network = new TokenNetwork();
    const cid = make(network);
    network.sandbox.advance(DAY);
    const [locked = expect.fail("nothing is locked")] = network.lockedCoins();
    const choice = "LockedAmulet_OwnerExpireLockV2";
    network.sandbox.exercise(LockedAmulet, locked.contractId, choice, {}, { actAs: [alice] });
    expectNotFound(() => remove(network, [cid]));
    expect(remove(network, [cid], { expireLock: false })).toEqual([[]]);
  });

  test("are removed by the DSO alone, with the reason in the metadata", () => {
    const network = new TokenNetwork();
    const cid = make(network);
    network.sandbox.advance(DAY);
    expectUnauthorized(() => remove(network, [cid], { as: alice }));
    expectUnmet(otherDso(network, bob), () => remove(network, [cid], { expectedDso: bob }));
  });

  test("are removed only if they are of the DSO that removes them", () => {
    const network = new TokenNetwork();
    make(network);
    const theirs = forge(network);
    network.sandbox.advance(DAY);
    expectOtherGroup(entity, () => remove(network, [theirs]));
  });
});
