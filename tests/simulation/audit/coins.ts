/**
 * Coin, counted twice: what everybody holds (from coins that came and went) and what everybody should hold (from
 * what was tapped, minted, sent and burned). And that what is locked for a name is burned or given back, to the digit.
 */

import {
  Amulet,
  LockedAmulet,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { AnsRules } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { ArgumentOf } from "../../../packages/ledger/src/engine/declaration.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listBeneath, listExercises } from "./book.ts";
import { findCoin, getCoin, listBurns } from "./burns.ts";
import type { WorthOf } from "./conserved-transfers.ts";
import { over, total } from "./decimals.ts";
import { listTransfers } from "./transfers.ts";
import { hold } from "./violation.ts";

type MintArgument = ArgumentOf<(typeof AmuletRules)["choices"]["AmuletRules_Mint"]>;

const COLLECTIONS = ["AnsRules_CollectInitialEntryPayment", "AnsRules_CollectEntryRenewalPayment"];

export class Coins {
  readonly #dso: PartyId;
  readonly #held = new Map<PartyId, bigint>();
  readonly #expected = new Map<PartyId, bigint>();
  minted = 0n;
  burned = 0n;

  constructor(dso: PartyId) {
    this.#dso = dso;
  }

  /** The sum of all holdings. */
  get supply(): bigint {
    return total([...this.#held.values()]);
  }

  held(party: PartyId): bigint {
    return this.#held.get(party) ?? 0n;
  }

  /** Follows one transaction in both accounts. */
  follow(transaction: Transaction, book: Book, worthOf: WorthOf): void {
    for (const node of transaction.nodes) {
      if (node.kind === "create") this.#hold(node.contract.contractId, 1n, book);
      else if (node.consuming) this.#hold(node.contractId, -1n, book);
    }
    for (const { argument } of this.#ofDso(transaction, "AmuletRules_Mint", book)) {
      const { receiver, amount } = argument.value as MintArgument;
      this.#expect(receiver, amount);
      this.minted += amount;
    }
    for (const { dso, sender, inputs, outputs } of listTransfers(transaction, book)) {
      if (dso !== this.#dso) continue;
      const rewards = total(inputs.map((input) => worthOf(input)?.amount ?? 0n));
      this.#expect(sender, rewards);
      this.minted += rewards;
      for (const { receiver, amount } of outputs) {
        this.#expect(sender, -amount);
        this.#expect(receiver, amount);
      }
    }
    for (const { contractId } of listBurns(transaction, this.#dso, book)) {
      const { owner, amount } = getCoin(contractId, book);
      this.#expect(owner, -amount.initialAmount);
      this.burned += amount.initialAmount;
    }
  }

  /** I2: the supply is what was minted, less what was burned. */
  supplyIsMintedLessBurned(): void {
    const { supply, minted, burned } = this;
    hold("I2 supply = minted − burned", supply === minted - burned, () => {
      return `${supply} is not ${minted} − ${burned}`;
    });
  }

  /** Everybody holds, locked or not, what they tapped, minted and received, less what they sent and what was burned. */
  everybodyHoldsTheirOwn(): void {
    for (const party of new Set([...this.#held.keys(), ...this.#expected.keys()])) {
      const [held, expected] = [this.held(party), this.#expected.get(party) ?? 0n];
      hold("holdings = tapped + minted + received − sent − burned", held === expected, () => {
        return `${party} holds ${held}, and should hold ${expected}`;
      });
    }
  }

  /** I3: the DSO never keeps coin. */
  dsoHoldsNothing(): void {
    hold("I3 no coin is owned by the DSO", this.held(this.#dso) === 0n, () => `${this.held(this.#dso)}`);
  }

  #hold(contractId: ContractId, sign: 1n | -1n, book: Book): void {
    const { contract } = book.get(contractId);
    if (contract.templateId !== Amulet.id && contract.templateId !== LockedAmulet.id) return;
    const { dso, owner, amount } = getCoin(contractId, book);
    if (dso === this.#dso) this.#held.set(owner, this.held(owner) + sign * amount.initialAmount);
  }

  #expect(party: PartyId, change: bigint): void {
    this.#expected.set(party, (this.#expected.get(party) ?? 0n) + change);
  }

  #ofDso(transaction: Transaction, choice: string, book: Book): readonly ExerciseNode[] {
    return listExercises(transaction, choice).filter(
      ({ contractId }) => book.payload(AmuletRules, contractId).dso === this.#dso,
    );
  }
}

/** I3: a collection burns exactly fee ÷ price of the round in which the coin was locked. */
export function collectionsBurnTheFee(transaction: Transaction, dso: PartyId, book: Book): void {
  let burns = 0;
  for (const node of transaction.nodes) {
    if (node.kind !== "exercise" || !COLLECTIONS.includes(node.choice)) continue;
    if (book.payload(AnsRules, node.contractId).dso !== dso) continue;
    const { paymentCid, transferContext } = node.argument.value as {
      readonly paymentCid: ContractId;
      readonly transferContext: { readonly openMiningRound: ContractId };
    };
    const initial = node.choice === COLLECTIONS[0];
    const payment = book.payload(initial ? SubscriptionInitialPayment : SubscriptionPayment, paymentCid);
    const open = book.payload(OpenMiningRound, transferContext.openMiningRound);
    const fee = over(payment.payData.paymentAmount.amount, open.amuletPrice);
    const beneath = listBeneath(transaction, node);
    const burned = beneath
      .filter((child) => child.kind === "exercise" && child.choice === "Archive")
      .flatMap((child) => (child.kind === "exercise" ? [findCoin(child.contractId, book)] : []))
      .filter((coin) => coin?.owner === dso)
      .map((coin) => coin?.amount.initialAmount ?? 0n);
    burns += burned.length;
    const isRight = burned.length === 1 && burned[0] === fee && payment.targetAmount === fee;
    hold("I3 a collection burns fee ÷ price", isRight, () => {
      return `burned [${burned.join()}], locked ${payment.targetAmount}, the fee is ${fee}`;
    });
    hold("I10 a payment is collected in its own round", payment.round.number === open.round.number, () => {
      return `paid in ${payment.round.number}, collected in ${open.round.number}`;
    });
  }
  const all = listBurns(transaction, dso, book).filter(({ contractId }) => {
    return getCoin(contractId, book).owner === dso;
  }).length;
  hold(
    "I2 only collections burn the DSO's coin",
    all === burns,
    () => `${all} burns, ${burns} by collections`,
  );
}

/** I4: unlocking gives back the coin that was locked: amount, round and rate unchanged, to its owner. */
export function unlockedCoinIsTheLockedOne(transaction: Transaction, book: Book): void {
  for (const node of transaction.nodes) {
    if (node.kind !== "exercise" || !/^LockedAmulet_(UnlockV2|OwnerExpireLockV2)$/.test(node.choice))
      continue;
    const { amulet, lock } = book.payload(LockedAmulet, node.contractId);
    const { amuletCid } = node.result.value as { readonly amuletCid: ContractId };
    const encode = Amulet.record.encode;
    hold(
      "I4 coin comes back as it was",
      encode(book.payload(Amulet, amuletCid)) === encode(amulet),
      () => amuletCid,
    );
    const isDue = node.choice === "LockedAmulet_UnlockV2" || transaction.ledgerTime >= lock.expiresAt;
    hold("a lock is the owner's alone from its deadline on", isDue, () => `${lock.expiresAt}`);
  }
}

/** I4: a payment that is rejected or lapses returns exactly what it locked, to its sender. */
export function refundsAreExact(transaction: Transaction, dso: PartyId, book: Book): void {
  for (const node of transaction.nodes) {
    if (node.kind !== "exercise" || !/^Subscription(Initial)?Payment_(Reject|Expire)$/.test(node.choice))
      continue;
    if (!book.get(node.contractId).signatories.has(dso)) continue;
    const template =
      node.templateId === SubscriptionPayment.id ? SubscriptionPayment : SubscriptionInitialPayment;
    const { lockedAmulet, targetAmount, subscriptionData } = book.payload(template, node.contractId);
    const { amuletSum } = node.result.value as { readonly amuletSum: { readonly amulet: ContractId } };
    const { owner, amount } = book.payload(Amulet, amuletSum.amulet);
    const locked = book.payload(LockedAmulet, lockedAmulet).amulet;
    const isExact =
      owner === subscriptionData.sender &&
      amount.initialAmount === targetAmount &&
      amount.createdAt.number === locked.amount.createdAt.number &&
      amount.ratePerRound.rate === locked.amount.ratePerRound.rate &&
      book.active.has(lockedAmulet);
    hold(
      "I4 a refund is what was locked",
      isExact,
      () => `${owner} got ${amount.initialAmount} of ${targetAmount}`,
    );
  }
}
