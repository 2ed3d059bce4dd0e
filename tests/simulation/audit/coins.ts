/**
 * Coin, counted twice: what everybody holds (from coins that came and went) and what everybody should hold (from
 * what was tapped, sent and burned). Decimals are bigints of 10⁻¹⁰ here; quotients are rounded by our own hand.
 */

import {
  Amulet,
  LockedAmulet,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import type { TransferResult } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import { AnsRules } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { ArgumentOf } from "../../../packages/ledger/src/engine/declaration.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listBeneath, listExercises, listParents } from "./book.ts";
import { hold } from "./violation.ts";

const UNIT = 10_000_000_000n;

type Choices = (typeof AmuletRules)["choices"];
type TransferArgument = ArgumentOf<Choices["AmuletRules_Transfer"]>;
type MintArgument = ArgumentOf<Choices["AmuletRules_Mint"]>;

/** The choices that end a coin, and so make the supply smaller; a transfer's own archives are not among them. */
const SWEEPS = ["Amulet_ExpireV2", "LockedAmulet_ExpireAmuletV2"];
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

  /** The sum of everything anybody holds. */
  get supply(): bigint {
    return [...this.#held.values()].reduce((total, amount) => total + amount, 0n);
  }

  held(party: PartyId): bigint {
    return this.#held.get(party) ?? 0n;
  }

  /** Follows one transaction in both accounts. */
  follow(transaction: Transaction, book: Book): void {
    for (const node of transaction.nodes) {
      if (node.kind === "create") this.#hold(node.contract.contractId, 1n, book);
      else if (node.consuming) this.#hold(node.contractId, -1n, book);
    }
    for (const { argument } of this.#ofDso(transaction, "AmuletRules_Mint", book)) {
      const { receiver, amount } = argument.value as MintArgument;
      this.#expect(receiver, amount);
      this.minted += amount;
    }
    for (const { argument } of this.#ofDso(transaction, "AmuletRules_Transfer", book)) {
      const { transfer } = argument.value as TransferArgument;
      for (const { receiver, amount } of transfer.outputs) {
        this.#expect(transfer.sender, -amount);
        this.#expect(receiver, amount);
      }
    }
    for (const { contractId } of listBurns(transaction, this.#dso, book)) {
      const { owner, amount } = coinOf(contractId, book);
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

  /** Everybody holds, locked or not, what they tapped and received, less what they sent and what was burned. */
  everybodyHoldsTheirOwn(): void {
    for (const party of new Set([...this.#held.keys(), ...this.#expected.keys()])) {
      const [held, expected] = [this.held(party), this.#expected.get(party) ?? 0n];
      hold("holdings = tapped + received − sent − burned", held === expected, () => {
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
    const { dso, owner, amount } = coinOf(contractId, book);
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

/** I1: what goes into a transfer comes out, to the last digit, as the outputs asked for and the sender's change. */
export function transfersConserveCoin(transaction: Transaction, book: Book): void {
  const parents = listParents(transaction);
  for (const node of listExercises(transaction, "AmuletRules_Transfer")) {
    const { transfer, context } = node.argument.value as TransferArgument;
    const { summary, round } = node.result.value as TransferResult;
    const inputs = transfer.inputs
      .filter((input) => input.tag === "InputAmulet")
      .map(({ value }) => book.payload(Amulet, value).amount.initialAmount);
    const outputs = transaction.nodes
      .filter((child) => child.kind === "create" && parents[child.nodeId] === node)
      .flatMap((child) => (child.kind === "create" ? [coinOrNull(child.contract.contractId, book)] : []))
      .filter((coin) => coin !== null);
    const asked = transfer.outputs.map(({ receiver, amount }) => `${receiver} ${amount}`);
    const change = total(inputs) - total(transfer.outputs.map(({ amount }) => amount));
    const expected = change > 0n ? [...asked, `${transfer.sender} ${change}`] : asked;
    const made = outputs.map(({ owner, amount }) => `${owner} ${amount.initialAmount}`);
    hold("I1 inputs = outputs + change", change >= 0n && made.join("\n") === expected.join("\n"), () => {
      return `${total(inputs)} became [${made.join("; ")}], asked for [${expected.join("; ")}]`;
    });
    const noFees = [summary.senderChangeFee, summary.holdingFees, ...summary.outputFees].every(
      (fee) => fee === 0n,
    );
    const sums = summary.inputAmuletAmount === total(inputs) && summary.senderChangeAmount === change;
    hold("I1 the summary of a transfer says what happened", noFees && sums, () => JSON.stringify(made));
    const {
      round: open,
      amuletPrice,
      transferConfigUsd,
    } = book.payload(OpenMiningRound, context.openMiningRound);
    const rate = roundHalfEven(
      roundHalfEven(UNIT * UNIT, amuletPrice) * transferConfigUsd.holdingFee.rate,
      UNIT,
    );
    const isNew = outputs.every(
      ({ amount }) => amount.createdAt.number === open.number && amount.ratePerRound.rate === rate,
    );
    hold("new coins carry the round and its holding fee", isNew && round.number === open.number, () =>
      made.join(),
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
    const fee = roundHalfEven(payment.payData.paymentAmount.amount * UNIT, open.amuletPrice);
    const beneath = listBeneath(transaction, node);
    const burned = beneath
      .filter((child) => child.kind === "exercise" && child.choice === "Archive")
      .flatMap((child) => (child.kind === "exercise" ? [coinOrNull(child.contractId, book)] : []))
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
  const all = listBurns(transaction, dso, book).filter(({ choice }) => choice === "Archive").length;
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

/** Coin that ends: archived by the DSO that owns it, or swept away when its holding fees have eaten it up. */
function listBurns({ nodes }: Transaction, dso: PartyId, book: Book): readonly ExerciseNode[] {
  return nodes
    .filter((node) => node.kind === "exercise")
    .filter(({ choice, contractId }) => {
      const coin = coinOrNull(contractId, book);
      if (coin === null || coin.dso !== dso) return false;
      return SWEEPS.includes(choice) || (choice === "Archive" && coin.owner === dso);
    });
}

function coinOrNull(contractId: ContractId, book: Book): Amulet | null {
  const { contract, value } = book.get(contractId);
  if (contract.templateId === Amulet.id) return value as Amulet;
  return contract.templateId === LockedAmulet.id ? (value as LockedAmulet).amulet : null;
}

function coinOf(contractId: ContractId, book: Book): Amulet {
  const coin = coinOrNull(contractId, book);
  if (coin === null) throw new Error(`${contractId} is no coin`);
  return coin;
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** n ÷ d for positive numbers, to the nearest whole; a tie goes to the even one. */
export function roundHalfEven(n: bigint, d: bigint): bigint {
  const below = n / d;
  const distance = 2n * (n - below * d) - d;
  if (distance !== 0n) return distance > 0n ? below + 1n : below;
  return below % 2n === 0n ? below : below + 1n;
}
