/**
 * Random sequences of token standard choices: no coin is made or lost, no party has more than
 * they should, and every lock belongs to one promise. A plain account book is kept beside the ledger.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Rejection, testParty } from "../../../../testing/sandbox.ts";
import { TokenNetwork } from "../../../../testing/token-fixture.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimalFromUnits, formatDecimal } from "../../../values/decimal.ts";
import { HOUR } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { Amulet } from "../declarations/amulet.ts";
import { AmuletAllocation } from "../declarations/amulet-allocation.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { AmuletTransferInstruction } from "../declarations/amulet-transfer-instruction.ts";

const parties = [testParty("alice"), testParty("bob"), testParty("carol")] as const;
const venue = testParty("venue");
const DEADLINE = 2n * HOUR;

type Step =
  | { readonly kind: "tap"; readonly who: number; readonly units: bigint }
  | { readonly kind: "wait" }
  | {
      readonly kind: "send" | "allocate";
      readonly from: number;
      readonly to: number;
      readonly units: bigint;
      readonly withLocked: boolean;
      readonly preapproved: boolean;
    }
  | {
      readonly kind: "accept" | "reject" | "withdraw" | "expire";
      readonly which: number;
      readonly lockStands: boolean;
    };

const who = fc.nat({ max: 2 });
const units = fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: 10n ** 12n }));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("tap" as const), who, units }),
  fc.record({ kind: fc.constant("wait" as const) }),
  fc.record({
    kind: fc.constantFrom("send" as const, "allocate" as const),
    from: who,
    to: who,
    units,
    withLocked: fc.boolean(),
    preapproved: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom("accept" as const, "reject" as const, "withdraw" as const, "expire" as const),
    which: fc.nat({ max: 7 }),
    lockStands: fc.boolean(),
  }),
);

/** A party's balance by the account book, in units of the last digit. */
class Books {
  readonly #held = new Map<PartyId, bigint>();

  of(party: PartyId): bigint {
    return this.#held.get(party) ?? 0n;
  }

  move(from: PartyId | null, to: PartyId, amount: bigint): void {
    if (from !== null) this.#held.set(from, this.of(from) - amount);
    this.#held.set(to, this.of(to) + amount);
  }
}

class Walk {
  readonly network = new TokenNetwork();
  readonly books = new Books();
  readonly preapprovals = parties.map((receiver) =>
    this.network.grantPreapproval(this.network.later(1000n * HOUR), { receiver }),
  );
  readonly done: Set<string>;

  constructor(done: Set<string>) {
    this.done = done;
  }

  /** Does the step if it can be done; a refusal leaves everything as it was. */
  take(given: Step): void {
    try {
      this.#do(given);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      // Nothing here may fail for a reason that is ours.
      expect(["DAML_FAILURE", "CONTRACT_NOT_FOUND"]).toContain(error.error.code);
    }
  }

  #do(given: Step): void {
    const { network, books } = this;
    switch (given.kind) {
      case "tap": {
        const owner = partyAt(given.who);
        network.tap(owner, formatDecimal(decimalFromUnits(given.units)));
        books.move(null, owner, given.units);
        return;
      }
      case "wait":
        network.sandbox.advance(HOUR);
        return;
      case "send": {
        const [sender, receiver] = [partyAt(given.from), partyAt(given.to)];
        const preapproval = given.preapproved ? this.preapprovals[given.to] : undefined;
        const { output } = network.transferTokens(
          network.tokenTransfer(this.#holdings(sender, given.withLocked), {
            sender,
            receiver,
            amount: decimalFromUnits(given.units),
            executeBefore: network.later(DEADLINE),
          }),
          { handed: preapproval === undefined ? {} : { preapproval } },
        );
        if (output.tag === "TransferInstructionResult_Completed") books.move(sender, receiver, given.units);
        this.done.add(output.tag);
        return;
      }
      case "allocate": {
        const [sender, receiver] = [partyAt(given.from), partyAt(given.to)];
        const amount = decimalFromUnits(given.units);
        const allocation = network.allocation(venue, { sender, receiver, amount });
        network.allocate(allocation, this.#holdings(sender, given.withLocked));
        return;
      }
      default:
        this.#end(given.kind, given.which, given.lockStands);
    }
  }

  /** Free coins, and perhaps the locked ones, which then have to have run out. */
  #holdings(owner: PartyId, withLocked: boolean): readonly ContractId[] {
    const { network } = this;
    const free = network.sandbox.active(Amulet).filter(({ payload }) => payload.owner === owner);
    const locked = network.lockedCoins().filter(({ payload }) => payload.amulet.owner === owner);
    return [...free, ...(withLocked ? locked : [])].map(({ contractId }) => contractId);
  }

  #end(kind: "accept" | "reject" | "withdraw" | "expire", which: number, expireLock: boolean): void {
    const { network, books } = this;
    const { sandbox } = network;
    const transfers = sandbox.active(AmuletTransferInstruction);
    const allocations = sandbox.active(AmuletAllocation);
    const transfer = transfers[which];
    if (transfer !== undefined) {
      const { sender, receiver, amount } = transfer.payload.transfer;
      if (kind === "expire") {
        this.#expireTransfer(transfer.contractId, expireLock);
        this.done.add("expire a transfer");
        return;
      }
      const choice = `TransferInstruction_${capital(kind)}` as const;
      const as = network.asHolder(kind === "withdraw" ? sender : receiver);
      network.endTransfer(transfer.contractId, choice, as, { expireLock });
      if (kind === "accept") books.move(sender, receiver, amount);
      this.done.add(`${kind} a transfer`);
      return;
    }
    const allocation = allocations[which - transfers.length];
    if (allocation === undefined) return;
    const { contractId, payload } = allocation;
    const { sender, receiver, amount } = payload.allocation.transferLeg;
    const everybody = network.asHolderWith([contractId], venue, sender, receiver);
    const extraArgs = network.extraArgs({ expireLock });
    if (kind === "expire") {
      const choice = "AmuletAllocation_DsoExpire";
      const as = network.asHolder(network.dso);
      sandbox.exercise(AmuletAllocation, contractId, choice, { expireLock }, as);
    } else if (kind === "accept") {
      network.endAllocation(contractId, "Allocation_ExecuteTransfer", everybody, extraArgs);
      books.move(sender, receiver, amount);
    } else if (kind === "reject") {
      network.endAllocation(contractId, "Allocation_Cancel", everybody, extraArgs);
    } else {
      network.endAllocation(contractId, "Allocation_Withdraw", network.asHolder(sender), extraArgs);
    }
    this.done.add(`${kind} an allocation`);
  }

  #expireTransfer(transferInstructionCid: ContractId, expireLock: boolean): void {
    const { network } = this;
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_Amulet_ExpireTransferInstructions",
      {
        expectedDso: network.dso,
        inputs: [{ transferInstructionCid, expireLock }],
        observers: [],
      },
      network.asHolder(network.dso),
    );
  }

  check(): void {
    const { network, books } = this;
    for (const party of parties) expect(network.holdingsOf(party)).toBe(books.of(party));
    // Nobody else has any: the supply is what was tapped.
    for (const stranger of [venue, network.dso]) expect(network.holdingsOf(stranger)).toBe(0n);
    const { sandbox } = network;
    const promised = [
      ...sandbox.active(AmuletTransferInstruction).map(({ payload }) => payload.lockedAmulet),
      ...sandbox.active(AmuletAllocation).map(({ payload }) => payload.lockedAmulet),
    ];
    expect(new Set(promised).size).toBe(promised.length);
    // A promise may have lost its coin after its time; a lock without a promise may only have run out.
    for (const { contractId, payload } of network.lockedCoins()) {
      if (!promised.includes(contractId)) expect(payload.lock.expiresAt).toBeLessThanOrEqual(sandbox.now);
    }
  }
}

/** Every end of either kind has to have come about, or nothing was shown. */
const SHOWN = [
  "TransferInstructionResult_Completed",
  "TransferInstructionResult_Pending",
  ...["accept", "reject", "withdraw", "expire"].flatMap((end) => [
    `${end} a transfer`,
    `${end} an allocation`,
  ]),
];
/** Some walks miss one of them; so many in a row do not. */
const MAX_REPEATS = 20;

test("no order of transfers and allocations makes or loses coin", () => {
  const done = new Set<string>();
  const property = fc.property(fc.array(step, { minLength: 15, maxLength: 40 }), (steps) => {
    const walk = new Walk(done);
    for (const party of [0, 1, 2]) walk.take({ kind: "tap", who: party, units: 10n ** 12n });
    for (const each of steps) {
      walk.take(each);
      walk.check();
    }
  });
  for (let repeat = 0; repeat < MAX_REPEATS && done.size < SHOWN.length; repeat++) {
    fc.assert(property, { numRuns: 60 });
  }
  expect([...done].sort()).toEqual([...SHOWN].sort());
});

function partyAt(index: number): PartyId {
  return parties[index] ?? expect.fail(`no party ${index}`);
}

function capital<Kind extends "accept" | "reject" | "withdraw">(kind: Kind): Capitalize<Kind> {
  return (kind.charAt(0).toUpperCase() + kind.slice(1)) as Capitalize<Kind>;
}
