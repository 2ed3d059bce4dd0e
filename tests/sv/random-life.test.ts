/**
 * Wallets buy, renew and cancel names at random, the clock jumps, SVs stop and start in the middle of everything. In
 * the end all SVs run, and nothing is stuck, lost or paid twice. What wallets and SVs do follows from the seed; how
 * their submissions fall into the log does not.
 */

import { expect, test } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { Random } from "../support/random.ts";
import { allCoin, nameConfirmations } from "./network-views.ts";
import { SvNetwork } from "./sv-network.ts";
import { Wallet } from "./wallet.ts";

const STEPS = 60;
const NAMES = ["a", "b", "c", "Bad"].map((label) => `${label}.unverified.cns`);
const JUMPS = [1n, HOUR, 2n * HOUR, 20n * DAY, 61n * DAY, 91n * DAY];

class RandomLife {
  readonly #random: Random;
  readonly #network: SvNetwork;
  readonly #wallets: readonly Wallet[];
  readonly #running: Set<number>;

  constructor(random: Random, network: SvNetwork, wallets: readonly Wallet[]) {
    this.#random = random;
    this.#network = network;
    this.#wallets = wallets;
    this.#running = new Set(network.svs.keys());
  }

  async step(): Promise<void> {
    const random = this.#random;
    const wallet = random.pick(this.#wallets);
    switch (random.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return this.#try(wallet.buy(random.pick(NAMES)));
      case 4:
      case 5:
        return wallet.idleState() === undefined ? undefined : this.#try(wallet.payRenewal());
      case 6:
        return wallet.idleState() === undefined ? undefined : this.#try(wallet.cancel());
      case 7:
        await this.#network.moveClock(random.pick(JUMPS));
        return;
      case 8:
        return this.#stopOrStart(random.below(this.#network.svs.length));
      default:
        return this.settle();
    }
  }

  async startAll(): Promise<void> {
    for (const index of this.#network.svs.keys())
      if (!this.#running.has(index)) await this.#stopOrStart(index);
  }

  settle(): Promise<void> {
    return this.#network.settle(this.#network.svs.filter((_, index) => this.#running.has(index)));
  }

  /** A wallet may be late, or short of coin: its submission is refused then. */
  async #try(doing: Promise<unknown>): Promise<void> {
    await doing.catch(() => undefined);
  }

  async #stopOrStart(index: number): Promise<void> {
    const sv = this.#network.svs[index];
    if (sv === undefined) return;
    if (this.#running.delete(index)) return sv.automation.stop();
    this.#running.add(index);
    sv.automation = sv.newAutomation();
    sv.automation.start();
  }
}

test.each([1, 2, 3, 4])("nothing is stuck, lost or paid twice, from seed %i", async (seed) => {
  const network = await SvNetwork.found();
  const wallets: Wallet[] = [];
  for (const name of ["alice", "bob", "carol"]) wallets.push(await Wallet.open(network, name));
  for (const wallet of wallets) await wallet.tap(decimal("20000.0"));
  const life = new RandomLife(new Random(seed), network, wallets);
  for (let i = 0; i < STEPS; i++) await life.step();
  await life.startAll();
  await network.settle();
  // Confirmations lapse, and locks that were pending have been decided on.
  await network.moveAndSettle(2n * HOUR);

  for (const template of [SubscriptionInitialPayment, SubscriptionPayment, TerminatedSubscription])
    expect(network.active(template), template.entity).toEqual([]);
  expect(nameConfirmations(network)).toEqual([]);
  const references = network.active(SubscriptionIdleState).map(({ payload }) => payload.reference);
  expect(
    network
      .active(AnsEntryContext)
      .map(({ payload }) => payload.reference)
      .sort(),
  ).toEqual(references.sort());
  const entries = network.active(AnsEntry);
  for (const { payload } of entries) expect(payload.expiresAt >= network.now).toBe(true);
  expect(new Set(entries.map(({ payload }) => payload.name)).size).toBe(entries.length);
  // Every entry and every renewal has cost 200 coins, and nothing else has.
  const paid = decimal("200.0") * BigInt(network.countCreated(AnsEntry));
  expect(allCoin(network) + paid).toBe(decimal("60000.0"));
  network.expectNothingStuck();
  network.expectAgreement();
});
