/** Every active coin, locked or not: for tests of conservation. */
import { Amulet, LockedAmulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import { type Decimal, sum } from "../src/values/decimal.ts";
import type { Sandbox } from "./sandbox.ts";

export function allCoins(contracts: Pick<Sandbox, "active">): readonly Amulet[] {
  return [
    ...contracts.active(Amulet).map(({ payload }) => payload),
    ...contracts.active(LockedAmulet).map(({ payload }) => payload.amulet),
  ];
}

export function sumOfCoins(coins: readonly Amulet[]): Decimal {
  return sum(coins.map(({ amount }) => amount.initialAmount));
}
