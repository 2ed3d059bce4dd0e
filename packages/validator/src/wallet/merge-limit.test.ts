import { decimal, type TransferInput } from "@callsign/ledger";
import { expect, test } from "vitest";
import { chooseCoinsToMerge } from "./merge-limit.ts";

const coin = (amount: string) => ({
  amount: decimal(amount),
  input: { tag: "InputAmulet", value: amount } as unknown as TransferInput,
});

const amountsOf = (given: readonly string[], limit: bigint) =>
  chooseCoinsToMerge(limit)(given.map(coin)).map(({ input }) => input.value);

test.each<[readonly string[], bigint, readonly string[]]>([
  // Three of four become one: two are left, as many as the limit.
  [["5.0", "1.0", "3.0", "2.0"], 2n, ["1.0", "2.0", "3.0"]],
  [["5.0", "1.0", "3.0"], 2n, []],
  [["5.0", "1.0"], 1n, ["1.0", "5.0"]],
  [["5.0"], 1n, []],
  // A delegation may name any limit.
  [["5.0", "1.0"], 0n, ["1.0", "5.0"]],
  [["5.0", "1.0"], -7n, ["1.0", "5.0"]],
  [["5.0"], 0n, []],
  [["5.0", "1.0"], 2n ** 62n, []],
])("of %j with the limit %i it merges %j", (held, limit, merged) => {
  expect(amountsOf(held, limit)).toEqual(merged);
});
