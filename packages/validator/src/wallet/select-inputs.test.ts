// The coins and rewards that a payment takes, and their order.
import { type ContractId, type Decimal, decimalFromUnits, type TransferInput } from "@callsign/ledger";
import { describe, expect, test } from "vitest";
import { selectInputs } from "./select-inputs.ts";

const amount = (units: number): Decimal => decimalFromUnits(BigInt(units));
const coin = (units: number) => ({
  amount: amount(units),
  input: { tag: "InputAmulet", value: `coin ${units}` as ContractId } as const,
});
const reward = (round: number, units: number) => ({
  round: BigInt(round),
  value: amount(units),
  input: { tag: "InputAppRewardCoupon", value: `reward ${round}/${units}` as ContractId } as const,
});
const other = (name: string): TransferInput => ({
  tag: "InputUnclaimedActivityRecord",
  value: name as ContractId,
});
const names = (inputs: readonly TransferInput[]) =>
  inputs.map((input) => (input.tag === "ExtTransferInput" ? "" : input.value));
const coins = (count: number) => Array.from({ length: count }, (_, i) => coin(i + 1));

describe("the order", () => {
  test("two of the largest coins, rewards by round and then by value, other coins, the rest", () => {
    const inputs = selectInputs(
      {
        coins: [coin(1), coin(4), coin(3), coin(2)],
        rewards: [reward(8, 5), reward(7, 1), reward(7, 9)],
        others: [other("record"), other("fund")],
      },
      20,
    );
    expect(names(inputs)).toEqual([
      ...["coin 4", "coin 3"],
      ...["reward 7/9", "reward 7/1", "reward 8/5"],
      ...["coin 2", "coin 1"],
      ...["record", "fund"],
    ]);
  });

  test("nothing is nothing", () => {
    expect(selectInputs({ coins: [], rewards: [], others: [] }, 100)).toEqual([]);
  });
});

describe("how many coins come before the rewards", () => {
  // Given: how many coins and rewards there are, and how many inputs are allowed.
  test.each([
    [{ coins: 30, rewards: 1, allowed: 100 }, 10],
    [{ coins: 30, rewards: 1, allowed: 10 }, 2],
    [{ coins: 23, rewards: 1, allowed: 24 }, 2],
    [{ coins: 24, rewards: 1, allowed: 24 }, 3],
    [{ coins: 100, rewards: 100, allowed: 100 }, 20],
    [{ coins: 100, rewards: 45, allowed: 100 }, 15],
    [{ coins: 100, rewards: 44, allowed: 100 }, 14],
    [{ coins: 1, rewards: 3, allowed: 100 }, 1],
  ])("%j: %i", (given, expected) => {
    const rewards = Array.from({ length: given.rewards }, (_, i) => reward(1, i + 1));
    const inputs = selectInputs({ coins: coins(given.coins), rewards, others: [] }, given.allowed);
    expect(names(inputs).findIndex((name) => name.startsWith("reward"))).toBe(expected);
  });
});

describe("the bound", () => {
  test("cuts what comes last, and never coin that payments need most", () => {
    const rewards = Array.from({ length: 200 }, (_, i) => reward(1, 200 - i));
    const inputs = names(selectInputs({ coins: coins(150), rewards, others: [other("record")] }, 100));
    expect(inputs).toHaveLength(100);
    expect(inputs.slice(0, 2)).toEqual(["coin 150", "coin 149"]);
    expect(inputs).not.toContain("record");
    expect(inputs.at(-1)).toMatch(/^reward/);
  });
});

describe("coins as large as amounts can be, which anybody may tap on a DevNet and send", () => {
  const whole = (coins: bigint) => ({
    amount: decimalFromUnits(coins * 10n ** 10n),
    input: { tag: "InputAmulet", value: `coin ${coins}` as ContractId } as const,
  });
  const [large, larger, largest] = [10n ** 25n, 9n * 10n ** 27n, 10n ** 28n - 1n];
  const select = (sizes: readonly bigint[], rewards: readonly ReturnType<typeof reward>[] = []) =>
    names(selectInputs({ coins: sizes.map(whole), rewards, others: [] }, 100));

  test.each([
    ["one beside others is used", [5n, large], [`coin ${large}`, "coin 5"]],
    ["of two the smaller is used", [larger, large, 5n], [`coin ${large}`, "coin 5"]],
    ["one that leaves no room for others is left out", [largest, 5n], ["coin 5"]],
    ["and so are several of them", [largest, largest, 5n], ["coin 5"]],
    ["one alone is used, whatever its size", [largest], [`coin ${largest}`]],
  ])("%s", (_, sizes, expected) => {
    expect(select(sizes)).toEqual(expected);
  });

  test("keep no reward from being minted", () => {
    expect(select([largest], [reward(1, 7)])).toEqual(["reward 1/7"]);
    expect(select([larger], [reward(1, 7)])).toEqual([`coin ${larger}`, "reward 1/7"]);
  });

  test("a hundred inputs never make more than the largest amount", () => {
    const sizes = [larger, ...Array.from({ length: 99 }, () => 10n ** 24n)];
    expect(select(sizes)).toHaveLength(100);
    expect(sizes.reduce((a, b) => a + b, 0n)).toBeLessThan(10n ** 28n);
  });
});
