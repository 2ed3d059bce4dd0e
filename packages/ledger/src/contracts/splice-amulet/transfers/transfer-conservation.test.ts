import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allCoins } from "../../../../testing/all-coins.ts";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import { rejectionOf } from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { outputTo, transferCoins } from "../../../../testing/transfers.ts";
import { decimalFromUnits, formatDecimal, formatDecimalShort } from "../../../values/decimal.ts";
import { MINUTE } from "../../../values/duration.ts";
import { addDuration } from "../../../values/time.ts";

const alice = testParty("alice");
const receivers = [alice, testParty("bob"), testParty("carol")] as const;

/** From the smallest amount to 10²⁷ coin, with the small ones often. */
const units = fc.oneof(
  fc.bigInt({ min: 1n, max: 1_000n }),
  fc.bigInt({ min: 1n, max: 10n ** 15n }),
  fc.bigInt({ min: 1n, max: 10n ** 36n }),
);
const coins = fc.array(units, { minLength: 1, maxLength: 6 });
const shares = fc.array(
  fc.record({ amount: units, receiver: fc.constantFrom(...receivers), locked: fc.boolean() }),
  { maxLength: 6 },
);
const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

function transfer(
  inputs: readonly bigint[],
  outputs: readonly { amount: bigint; receiver: typeof alice; locked: boolean }[],
) {
  const network = new SandboxNetwork();
  const ids = inputs.map((amount) => network.tap(alice, formatDecimal(decimalFromUnits(amount))));
  const expiresAt = addDuration(network.sandbox.now, MINUTE);
  const submit = () =>
    transferCoins(network, {
      sender: alice,
      inputs: ids,
      outputs: outputs.map(({ amount, receiver, locked }) =>
        outputTo(
          receiver,
          decimalFromUnits(amount),
          locked ? { holders: [testParty("dave")], expiresAt, optContext: null } : null,
        ),
      ),
    });
  return { submit, held: () => allCoins(network.sandbox) };
}

describe("coin is conserved", () => {
  test("the inputs of a transfer equal its outputs to the last digit, for any receivers", () => {
    fc.assert(
      fc.property(coins, shares, (inputs, wanted) => {
        // Outputs as long as they are covered.
        let left = total(inputs);
        const outputs = wanted.filter(({ amount }) => {
          if (amount > left) return false;
          left -= amount;
          return true;
        });
        const { submit, held } = transfer(inputs, outputs);
        const { summary } = submit();
        expect(summary.senderChangeAmount).toBe(left);
        expect(total(held().map(({ amount }) => amount.initialAmount))).toBe(total(inputs));
        for (const receiver of receivers) {
          const got = total(
            outputs.filter((output) => output.receiver === receiver).map(({ amount }) => amount),
          );
          const owned = held().filter(({ owner }) => owner === receiver);
          const expected = receiver === alice ? got + left : got;
          expect(total(owned.map(({ amount }) => amount.initialAmount))).toBe(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("the summary's changes add up to the coins that went and came", () => {
    fc.assert(
      fc.property(coins, shares, (inputs, wanted) => {
        const outputs = wanted.filter(({ amount }, i) => amount <= (inputs[i] ?? 0n));
        const { submit, held } = transfer(inputs, outputs);
        const asOfRoundZero = () =>
          total(held().map(({ amount }) => amount.initialAmount + amount.ratePerRound.rate));
        const rates = () => total(held().map(({ amount }) => amount.ratePerRound.rate));
        const before = { value: asOfRoundZero(), rate: rates() };
        const changes = submit().summary.balanceChanges.map(([, change]) => change);
        // All coins are of round 1, so each counts its rate once as of round zero.
        expect(total(changes.map((change) => change.changeToInitialAmountAsOfRoundZero))).toBe(
          asOfRoundZero() - before.value,
        );
        expect(total(changes.map((change) => change.changeToHoldingFeesRate))).toBe(rates() - before.rate);
      }),
      { numRuns: 60 },
    );
  });

  test("a transfer that is not covered says exactly how much is missing, and moves nothing", () => {
    fc.assert(
      fc.property(coins, units, (inputs, missing) => {
        const output = { amount: total(inputs) + missing, receiver: alice, locked: false };
        const { submit, held } = transfer(inputs, [output]);
        expect(rejectionOf(submit).context).toEqual({
          error_id: "splice.lfdecentralizedtrust.org/insufficient-funds",
          requiredAmount: formatDecimalShort(decimalFromUnits(missing)),
        });
        expect(total(held().map(({ amount }) => amount.initialAmount))).toBe(total(inputs));
      }),
      { numRuns: 40 },
    );
  });
});
