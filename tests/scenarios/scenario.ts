/**
 * A simulated network for scenarios about names: four SVs, a validator, alice and bob. Names cost a dollar,
 * 200 coins, for 90 days; the last 30 of them are for renewing. Every entry of the log takes a microsecond.
 */

import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { actionToConfirm } from "../../packages/ledger/src/contracts/splice-dso-governance/payment-action.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { AnyTemplateDeclaration } from "../../packages/ledger/src/engine/declaration.ts";
import type { LedgerError } from "../../packages/ledger/src/errors/ledger-error.ts";
import { isVisible } from "../../packages/ledger/src/names/entry-liveness.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal, formatDecimalShort } from "../../packages/ledger/src/values/decimal.ts";
import { MICROSECOND, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration, formatTime, type Time } from "../../packages/ledger/src/values/time.ts";
import { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import { type ActiveContract, SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import { type EntryRequest, WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";

export class Scenario {
  readonly network: SimulatedNetwork = new SimulatedNetwork();
  readonly dso: DsoActor = new DsoActor(this.network);
  readonly #validator = this.network.registerMember("validator");
  readonly alice: WalletActor = new WalletActor(this.network, this.#validator, "alice");
  readonly bob: WalletActor = new WalletActor(this.network, this.#validator, "bob");

  /** Any of the four; the first unless told. */
  sv(index = 0): SvActor {
    const sv = this.dso.svs[index];
    if (sv === undefined) throw new Error(`there is no SV ${index}`);
    return sv;
  }

  /** Runs one submission so that it takes effect at exactly this time. */
  at<T>(moment: Time, submit: () => T): T {
    const { network } = this;
    const before = addDuration(moment, -MICROSECOND);
    if (before > network.now) network.advanceTo(before);
    const result = submit();
    if (network.now !== moment) throw new Error(`it took effect at ${formatTime(network.now)}`);
    return result;
  }

  tap(wallet: WalletActor, amount: string): void {
    accepted(wallet.tap(decimal(amount)));
  }

  /** Asks for a name; answers the id of the request. */
  request(wallet: WalletActor, entry: EntryRequest): ContractId {
    return createdBy(wallet.requestEntry(entry), SubscriptionRequest);
  }

  /** Accepts a request; answers the id of the payment. */
  pay(wallet: WalletActor, request: ContractId): ContractId {
    return createdBy(wallet.accept(request), SubscriptionInitialPayment);
  }

  /** A minute before, all SVs confirm what they decide; at that time the one payment that waits is decided. */
  decideAt(moment: Time): Outcome {
    this.#waitForTheMinuteBefore(moment);
    const [decision] = this.dso.decideInitialPayments();
    if (decision === undefined || decision.kind === "leave") throw new Error("there is nothing to decide");
    const action = actionToConfirm(decision);
    for (const sv of this.dso.svs) accepted(sv.confirm(action));
    return this.at(moment, () => accepted(this.dso.execute(action, this.network.svs)));
  }

  /** From the tap of exactly the fee to the entry, whose first payment is collected at that time. */
  register(wallet: WalletActor, name: string, collectedAt: Time): ActiveContract<typeof AnsEntry> {
    this.#waitForTheMinuteBefore(collectedAt);
    this.tap(wallet, "200.0");
    const request = this.request(wallet, { name });
    this.pay(wallet, request);
    const entry = createdBy(this.decideAt(collectedAt), AnsEntry);
    return { contractId: entry, payload: this.payload(AnsEntry, entry) };
  }

  /** Pays the only subscription's next interval; answers the id of the payment. */
  payRenewal(wallet: WalletActor): ContractId {
    return createdBy(
      wallet.payRenewal(this.network.only(SubscriptionIdleState).contractId),
      SubscriptionPayment,
    );
  }

  /** One SV carries out what is decided on the renewals. */
  settleRenewals(): readonly string[] {
    return this.dso.decideRenewals().map((decision) => {
      this.sv().carryOutRenewal(decision);
      return decision.kind;
    });
  }

  /** The owner that a lookup of the name finds now. */
  ownerOf(name: string): PartyId | null {
    return this.#visible().find(({ payload }) => payload.name === name)?.payload.user ?? null;
  }

  namesOf({ party }: WalletActor): readonly string[] {
    return this.#visible()
      .filter(({ payload }) => payload.user === party)
      .map(({ payload }) => payload.name);
  }

  /** A user's free and locked coin. */
  coinsOf(wallet: WalletActor): { readonly free: string; readonly locked: string } {
    return { free: formatDecimalShort(wallet.balance()), locked: formatDecimalShort(wallet.locked()) };
  }

  count(template: AnyTemplateDeclaration): number {
    return this.network.active(template, this.network.dso).length;
  }

  payload<T extends AnyTemplateDeclaration>(template: T, contractId: ContractId) {
    const found = this.network.active(template).find((contract) => contract.contractId === contractId);
    if (found === undefined) throw new Error(`no active ${template.entity} ${contractId}`);
    return found.payload;
  }

  #waitForTheMinuteBefore(moment: Time): void {
    const before = addDuration(moment, -MINUTE);
    if (before > this.network.now) this.network.advanceTo(before);
  }

  #visible() {
    const { network } = this;
    return network
      .active(AnsEntry, network.dso)
      .filter(({ payload }) => isVisible({ expiresAt: payload.expiresAt, now: network.now }));
  }
}

export function accepted(outcome: Outcome): Outcome {
  const { verdict } = outcome;
  if (verdict.kind === "rejected") throw new Error(`rejected: ${verdict.error.cause}`);
  if (verdict.kind === "ignored") throw new Error(`ignored: ${verdict.reason}`);
  return outcome;
}

export function rejection({ verdict }: Outcome): LedgerError {
  if (verdict.kind !== "rejected") throw new Error(`${verdict.kind}, though it should be rejected`);
  return verdict.error;
}

/** The one contract of that template that an accepted submission created. */
export function createdBy(outcome: Outcome, template: AnyTemplateDeclaration): ContractId {
  const found = accepted(outcome).created.filter(({ contract }) => contract.templateId === template.id);
  if (found[0] === undefined || found.length > 1) throw new Error(`not exactly one new ${template.entity}`);
  return found[0].contract.contractId;
}
