/**
 * Pays renewals when they are due, for users who have not switched that off. It looks whenever the ledger moved on,
 * and every few seconds whether the network's clock did: a participant whose parties do nothing hears nothing. What
 * it has done it sees on the ledger, so a restart or a second look does no harm.
 */

import type { SubscriptionIdleState } from "@callsign/ledger";
import { Refusal } from "../../http/refusal.ts";
import type { Log } from "../../observability/log.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { NotEnoughCoin } from "../ledger/ledger-refusal.ts";
import type { Held, WalletStore } from "../ledger/wallet-store.ts";
import { pause } from "../pause.ts";
import { reasonOf } from "../reason-of.ts";
import type { NetworkFacts } from "../scan-reads/network-facts.ts";
import { payRenewal, renewsItself } from "../wallet/subscriptions.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { decideRenewalPayment } from "./decide-renewal-payment.ts";
import { WaitingPayments } from "./waiting-payments.ts";

export interface RenewalParts {
  readonly store: WalletStore;
  readonly ledger: WalletLedger;
  readonly clock: LedgerClock;
  readonly facts: NetworkFacts;
  readonly findWalletOf: (party: string) => Promise<Wallet | undefined>;
  /** Whether nothing is missing in the store: who has switched renewals off must be seen. */
  readonly isWhole: () => boolean;
  readonly log: Log;
}

const TIME_POLL_MILLISECONDS = 5000;

export class RenewalAutomation {
  readonly #parts: RenewalParts;
  readonly #waiting = new WaitingPayments();
  readonly #closing = new AbortController();
  #looking: Promise<number> | undefined;
  #again = false;
  #polling: Promise<void> | undefined;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#polling = this.#poll();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#looking, this.#polling]);
  }

  /** The ledger moved on. */
  advanced(paid: ReadonlySet<string>): void {
    this.#waiting.coinArrived(paid);
    void this.look();
  }

  /** Pays what is due, and answers how many payments were made. Those who ask meanwhile get another look. */
  look(): Promise<number> {
    if (this.#looking !== undefined) {
      this.#again = true;
      return this.#looking;
    }
    const looking = this.#lookUntilQuiet().finally(() => {
      this.#looking = undefined;
    });
    this.#looking = looking;
    return looking;
  }

  async #lookUntilQuiet(): Promise<number> {
    let made = 0;
    do {
      this.#again = false;
      try {
        made += await this.#lookOnce();
      } catch (error) {
        if (!this.#closing.signal.aborted)
          this.#parts.log.warn({ error: reasonOf(error) }, "renewals could not be looked at");
      }
    } while (this.#again && !this.#closing.signal.aborted);
    return made;
  }

  async #lookOnce(): Promise<number> {
    const { store, clock, isWhole } = this.#parts;
    if (!isWhole()) return 0;
    const { now } = clock;
    const seen = new Set<string>();
    let made = 0;
    let last: string | undefined = "";
    while (last !== undefined && !this.#closing.signal.aborted) {
      const page: readonly Held<SubscriptionIdleState>[] = await store.listPayable(now, last);
      for (const idle of page) {
        if (this.#closing.signal.aborted) break;
        seen.add(idle.contractId);
        if (this.#waiting.isDue(idle.contractId, performance.now()) && (await this.#renew(idle))) made++;
      }
      last = page.at(-1)?.contractId;
    }
    this.#waiting.keepOnly(seen);
    return made;
  }

  /** Whether a payment was made. */
  async #renew(idle: Held<SubscriptionIdleState>): Promise<boolean> {
    const { store, clock, findWalletOf, log } = this.#parts;
    const wallet = await findWalletOf(idle.owner);
    if (wallet === undefined) return false;
    const autoRenew = await renewsItself(store, wallet.party, idle.payload.reference);
    const decision = await decideRenewalPayment(store, idle, { now: clock.now, autoRenew });
    if (decision.kind !== "pay") return false;
    try {
      await payRenewal(this.#parts, wallet, idle.contractId);
      log.info({ subscription: idle.payload.subscription }, "a renewal was paid");
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.rejection.status === 404) return false;
      this.#waiting.failed(idle.contractId, {
        owner: idle.owner,
        now: performance.now(),
        forCoin: error instanceof NotEnoughCoin,
      });
      log.warn(
        { subscription: idle.payload.subscription, error: reasonOf(error) },
        "a renewal could not be paid yet",
      );
      return false;
    }
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await pause(this.#pollPause(), signal);
      if (signal.aborted) return;
      try {
        if (!(await this.#parts.store.hasIdleSubscriptions())) continue;
        await this.#parts.facts.observeTime();
        await this.look();
      } catch (error) {
        this.#parts.log.debug({ error: reasonOf(error) }, "the network's time could not be read");
      }
    }
  }

  #pollPause(): number {
    const next = this.#waiting.nextDue();
    if (next === undefined) return TIME_POLL_MILLISECONDS;
    return Math.max(100, Math.min(TIME_POLL_MILLISECONDS, next - performance.now()));
  }
}
