import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allCoins, sumOfCoins } from "../../../testing/all-coins.ts";
import { TEST_SYNCHRONIZER } from "../../../testing/network-fixture.ts";
import { Rejection } from "../../../testing/sandbox.ts";
import { alice, bob, validator } from "../../../testing/subscription-fixture.ts";
import { coins, dollars, MEMBER_ID, MIN_TOP_UP, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type Decimal, decimal, decimalFromUnits, formatDecimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import { MemberTraffic } from "../splice-amulet/declarations/member-traffic.ts";
import { TransferPreapproval } from "../splice-amulet/declarations/transfer-preapproval.ts";
import type { AmuletOperation } from "./declarations/amulet-operation.ts";
import { AcceptedTransferOffer } from "./declarations/transfer-offer.ts";

type Step =
  | { readonly kind: "tap" | "payment" | "transfer" | "send"; readonly amount: string }
  | { readonly kind: "merge" | "traffic" | "renewal" };

const amount = fc.bigInt({ min: 1n, max: 10n ** 14n }).map((units) => formatDecimal(decimalFromUnits(units)));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("tap", "payment", "transfer", "send"), amount }),
  fc.record({ kind: fc.constantFrom("merge", "traffic", "renewal") }),
);
const total = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n);

/** The validator's own wallet, which can do everything; bob receives. Contracts are prepared as a batch needs them. */
class Batches {
  readonly network: WalletNetwork;
  readonly #install: ContractId;
  #preapproval: ContractId;

  constructor(amuletPrice: Decimal) {
    this.network = new WalletNetwork({ amuletPrice });
    this.#install = this.network.installWallet(validator, validator);
    this.#preapproval = this.network.grantPreapproval(this.network.later(DAY));
  }

  prepare(given: Step, renewals: number): AmuletOperation {
    const { network } = this;
    switch (given.kind) {
      case "tap":
        return { tag: "CO_Tap", value: { tapAmount: decimal(given.amount) } };
      case "payment": {
        const shares = [
          [bob, coins(given.amount)],
          [alice, dollars(given.amount)],
        ] as const;
        return { tag: "CO_AppPayment", value: network.requestPayment(shares, { sender: validator }) };
      }
      case "transfer": {
        const terms = { sender: validator, receiver: bob, dso: network.dso, trackingId: "" };
        const offer = { ...terms, amount: dollars(given.amount), expiresAt: network.later(DAY) };
        const as = { actAs: [validator, bob] };
        const value = network.sandbox.create(AcceptedTransferOffer, offer, as);
        return { tag: "CO_CompleteAcceptedTransfer", value };
      }
      case "send":
        return {
          tag: "CO_TransferPreapprovalSend",
          value: {
            transferPreapprovalCid: network.grantPreapproval(network.later(DAY)),
            providerFeaturedAppRightCid: null,
            amount: decimal(given.amount),
            description: null,
          },
        };
      case "merge":
        return { tag: "CO_MergeTransferInputs", value: {} };
      case "traffic": {
        const to = { memberId: MEMBER_ID, synchronizerId: TEST_SYNCHRONIZER, migrationId: 0n };
        const minTopupInterval = { microseconds: 0n };
        const value = { ...to, trafficAmount: MIN_TOP_UP + 7n, minTopupInterval, topupStateCid: null };
        return { tag: "CO_BuyMemberTraffic", value };
      }
      case "renewal": {
        const newExpiresAt = network.later(BigInt(renewals + 2) * DAY);
        return {
          tag: "CO_RenewTransferPreapproval",
          value: { previousApprovalCid: this.#preapproval, newExpiresAt },
        };
      }
    }
  }

  /** True if it went through. A preapproval can be renewed once a batch. */
  run(steps: readonly Step[]): boolean {
    const { network } = this;
    const renewals = network.sandbox.active(TransferPreapproval).length;
    const operations = steps.map((each) => this.prepare(each, renewals));
    try {
      const as = network.as(validator);
      network.executeBatch(this.#install, { inputs: this.coinsOf(validator), operations, as });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return false;
    }
    const approvals = network.sandbox.active(TransferPreapproval);
    const [latest = expect.fail("no preapproval")] = approvals.toSorted((a, b) =>
      Number(b.payload.expiresAt - a.payload.expiresAt),
    );
    this.#preapproval = latest.contractId;
    return true;
  }

  coinsOf(owner: PartyId): readonly ContractId[] {
    const owned = this.network.sandbox.active(Amulet).filter(({ payload }) => payload.owner === owner);
    return owned.map(({ contractId }) => contractId);
  }

  supply(): bigint {
    return sumOfCoins(allCoins(this.network.sandbox));
  }

  burned(): bigint {
    return total(this.network.burnCoupons().map((coupon) => coupon.amount));
  }
}

describe("coin is conserved across batches", () => {
  const price = fc.constantFrom("0.005", "0.3", "0.7", "1.0").map(decimal);
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });

  test("tapped coin is held, locked or burned after any batches, never lost", () => {
    let [done, refused] = [0, 0];
    fc.assert(
      fc.property(price, batches, (amuletPrice, given) => {
        const ledger = new Batches(amuletPrice);
        ledger.network.tap(validator, "10000.0");
        let tapped: bigint = decimal("10000.0");
        for (const steps of given) {
          const before = { supply: ledger.supply(), burned: ledger.burned() };
          if (ledger.run(steps)) {
            done++;
            tapped += total(steps.map((each) => (each.kind === "tap" ? decimal(each.amount) : 0n)));
          } else {
            refused++;
            expect({ supply: ledger.supply(), burned: ledger.burned() }).toEqual(before);
          }
          expect(ledger.supply() + ledger.burned()).toBe(tapped);
        }
        const { network } = ledger;
        const spent = network.sandbox.active(MemberTraffic).map(({ payload }) => payload.amuletSpent);
        expect(total(spent)).toBeLessThanOrEqual(ledger.burned());
      }),
      { numRuns: 60 },
    );
    // Both ends come about, or the property says little.
    expect(Math.min(done, refused)).toBeGreaterThan(10);
  });
});
