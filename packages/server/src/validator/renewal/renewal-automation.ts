/**
 * Pays renewals when they are due, for users who have not switched that off: one payment at a time for each owner,
 * several owners at once, and no payment is waited for longer than a bound. It looks whenever the ledger moved on,
 * and every few seconds whether the network's clock did: a participant whose parties do nothing hears nothing. What
 * it has done it sees on the ledger, so a restart or a second look does no harm.
 */

import { SubscriptionIdleState } from "@callsign/ledger";
import { Refusal } from "../../http/refusal.ts";
import type { Log } from "../../observability/log.ts";
import { withinDeadline } from "../deadline.ts";
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
import { OwnerQueues } from "./owner-queues.ts";
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
/** Owners whose renewals are paid at once. */
const MAX_AT_ONCE = 16;
/** A payment that takes longer goes on, and its owner's next turn comes later. */
const PAYMENT_MILLISECONDS = 10_000;

export class RenewalAutomation {
  readonly #parts: RenewalParts;
  readonly #waiting = new WaitingPayments();
  readonly #closing = new AbortController();
  readonly #queues = new OwnerQueues((contractId) => this.#renew(contractId), MAX_AT_ONCE);
  #looking: Promise<void> | undefined;
  #again = false;
  #made = 0;
  #polling: Promise<void> | undefined;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#polling = this.#poll();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#queues.clear();
    await Promise.all([this.#looking, this.#polling]);
    this.#queues.clear();
    await this.#queues.idle();
  }

  /** The ledger moved on. */
  advanced(paid: ReadonlySet<string>): void {
    this.#waiting.coinArrived(paid);
    void this.#lookForDue();
  }

  /** Pays what is due, and answers how many payments were made. */
  async look(): Promise<number> {
    const before = this.#made;
    await this.#lookForDue();
    await this.#queues.idle();
    return this.#made - before;
  }

  /** Queues what is due. Those who ask meanwhile get another look. */
  #lookForDue(): Promise<void> {
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

  async #lookUntilQuiet(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#lookOnce();
      } catch (error) {
        if (!this.#closing.signal.aborted)
          this.#parts.log.warn({ error: reasonOf(error) }, "renewals could not be looked at");
      }
    } while (this.#again && !this.#closing.signal.aborted);
  }

  async #lookOnce(): Promise<void> {
    const { store, clock, isWhole } = this.#parts;
    if (!isWhole()) return;
    const { now } = clock;
    const seen = new Set<string>();
    let last: string | undefined = "";
    while (last !== undefined && !this.#closing.signal.aborted) {
      const page: readonly Held<SubscriptionIdleState>[] = await store.listPayable(now, last);
      for (const { contractId, owner } of page) {
        seen.add(contractId);
        if (this.#waiting.isDue(contractId, performance.now())) this.#queues.add(owner, contractId);
      }
      last = page.at(-1)?.contractId;
    }
    if (!this.#closing.signal.aborted) this.#waiting.keepOnly(seen);
  }

  /** One payment, if it is still to be made when its turn has come. */
  async #renew(contractId: string): Promise<void> {
    const { log } = this.#parts;
    let owner = "";
    try {
      const due = await this.#findDue(contractId);
      if (due === undefined) return;
      owner = due.wallet.party;
      await withinDeadline(this.#pay(due.wallet, due.idle), PAYMENT_MILLISECONDS);
    } catch (error) {
      if (error instanceof Refusal && error.rejection.status === 404) return;
      const forCoin = error instanceof NotEnoughCoin;
      this.#waiting.failed(contractId, { owner, now: performance.now(), forCoin });
      log.warn({ idleState: contractId, error: reasonOf(error) }, "a renewal could not be paid yet");
    }
  }

  async #findDue(
    contractId: string,
  ): Promise<{ readonly wallet: Wallet; readonly idle: Held<SubscriptionIdleState> } | undefined> {
    const { store, clock, findWalletOf, isWhole } = this.#parts;
    const idle = isWhole() ? await store.find(SubscriptionIdleState, contractId) : undefined;
    const wallet = idle === undefined ? undefined : await findWalletOf(idle.owner);
    if (idle === undefined || wallet === undefined) return undefined;
    const autoRenew = await renewsItself(store, wallet.party, idle.payload.reference);
    const decision = await decideRenewalPayment(store, idle, { now: clock.now, autoRenew });
    return decision.kind === "pay" ? { wallet, idle } : undefined;
  }

  /** Counted when it has been made, whether or not somebody still waits. */
  async #pay(wallet: Wallet, { contractId, payload }: Held<SubscriptionIdleState>): Promise<void> {
    await payRenewal(this.#parts, wallet, contractId);
    this.#made++;
    this.#parts.log.info({ subscription: payload.subscription }, "a renewal was paid");
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await pause(this.#pollPause(), signal);
      if (signal.aborted) return;
      try {
        if (!(await this.#parts.store.hasIdleSubscriptions())) continue;
        await this.#parts.facts.observeTime();
        await this.#lookForDue();
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
