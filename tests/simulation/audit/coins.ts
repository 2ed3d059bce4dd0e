/**
 * Coin, counted twice: what everybody holds (from coins that came and went) and what everybody should hold (from
 * what was tapped, minted, sent and burned).
 */

import {
  Amulet,
  LockedAmulet,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { ValidatorRewardCoupon } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import type {
  TransferInput,
  TransferSummary,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
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
import { over, total } from "./decimals.ts";
import type { Worth } from "./rewards.ts";
import { isPurchase, listTransfers, type MadeTransfer } from "./transfers.ts";
import { hold } from "./violation.ts";

type MintArgument = ArgumentOf<(typeof AmuletRules)["choices"]["AmuletRules_Mint"]>;

/** What a reward that goes into a transfer is worth; null for coin. */
export type WorthOf = (input: TransferInput) => Worth | null;

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

/**
 * I1: what goes into a transfer, rewards included, comes out to the last digit, as the outputs asked for and the
 * sender's change; what was to be burned is burned, and its buyer's validator has a coupon for it.
 */
export function transfersConserveCoin(transaction: Transaction, book: Book, worthOf: WorthOf): void {
  const parents = listParents(transaction);
  for (const transfer of listTransfers(transaction, book)) {
    const { node, sender, inputs, outputs: askedFor, summary, terms, bookedIn } = transfer;
    const coins = total(
      inputs.map((input) => {
        return input.tag === "InputAmulet" ? book.payload(Amulet, input.value).amount.initialAmount : 0n;
      }),
    );
    const rewards = inputs.map(worthOf).filter((worth) => worth !== null);
    const children = transaction.nodes.filter((child) => parents[child.nodeId] === node);
    const outputs = children
      .flatMap((child) => (child.kind === "create" ? [coinOrNull(child.contract.contractId, book)] : []))
      .filter((coin) => coin !== null);
    const asked = askedFor.map(({ receiver, amount }) => `${receiver} ${amount}`);
    const put = coins + total(rewards.map(({ amount }) => amount));
    const change = put - total(askedFor.map(({ amount }) => amount));
    const expected = change > 0n ? [...asked, `${sender} ${change}`] : asked;
    const made = outputs.map(({ owner, amount }) => `${owner} ${amount.initialAmount}`);
    hold("I1 inputs = outputs + change", change >= 0n && made.join("\n") === expected.join("\n"), () => {
      return `${put} became [${made.join("; ")}], asked for [${expected.join("; ")}]`;
    });
    if (summary !== null) {
      const said = summary.inputAmuletAmount === coins && summary.senderChangeAmount === change;
      hold("I1 the summary of a transfer says what happened", said && saysRewards(summary, rewards), () =>
        JSON.stringify(made),
      );
    }
    const isNew = outputs.every(
      ({ amount }) => amount.createdAt.number === terms.round && amount.ratePerRound.rate === terms.rate,
    );
    hold("new coins carry the round and its holding fee", isNew && bookedIn === terms.round, () =>
      made.join(),
    );
    if (isPurchase(node)) purchaseIsBurned(transaction, transfer, book);
  }
}

function saysRewards(summary: TransferSummary, rewards: readonly Worth[]): boolean {
  const sum = (...sums: readonly Worth["sum"][]) => {
    return total(rewards.filter((worth) => sums.includes(worth.sum)).map(({ amount }) => amount));
  };
  return (
    [summary.senderChangeFee, summary.holdingFees, ...summary.outputFees].every((fee) => fee === 0n) &&
    summary.inputAppRewardAmount === sum("app") &&
    summary.inputValidatorRewardAmount === sum("validator", "records") &&
    summary.inputSvRewardAmount === sum("sv") &&
    (summary.inputValidatorFaucetAmount ?? 0n) === sum("records") &&
    (summary.inputUnclaimedActivityRecordAmount ?? 0n) === sum("activity") &&
    (summary.inputDevelopmentFundAmount ?? 0n) === sum("fund")
  );
}

function purchaseIsBurned(
  transaction: Transaction,
  { node, sender, burned, bookedIn }: MadeTransfer,
  book: Book,
): void {
  const burns = listPurchaseBurns(transaction, node, book).map(({ contractId }) => coinOf(contractId, book));
  const isBurned =
    burns.length === 1 && burns[0]?.owner === sender && burns[0].amount.initialAmount === burned;
  hold("I2 what is paid to the network is burned", isBurned, () => `${burned} by ${sender}`);
  const parents = listParents(transaction);
  const coupons = transaction.nodes.filter((child) => {
    if (child.kind !== "create" || parents[child.nodeId] !== node) return false;
    if (child.contract.templateId !== ValidatorRewardCoupon.id) return false;
    const { user, amount, round } = child.value as ValidatorRewardCoupon;
    return user === sender && amount === burned && round.number === bookedIn;
  });
  hold("a purchase earns one coupon for what it burns", coupons.length === 1, () => node.choice);
}

/** The coin that a purchase makes for itself and archives at once. */
function listPurchaseBurns(
  transaction: Transaction,
  node: ExerciseNode,
  book: Book,
): readonly ExerciseNode[] {
  const parents = listParents(transaction);
  const own = transaction.nodes.filter((child) => parents[child.nodeId] === node);
  const made = new Set(own.flatMap((child) => (child.kind === "create" ? [child.contract.contractId] : [])));
  return own
    .filter((child) => child.kind === "exercise")
    .filter(({ choice, contractId }) => {
      return choice === "Archive" && made.has(contractId) && coinOrNull(contractId, book) !== null;
    });
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
  const all = listBurns(transaction, dso, book).filter(({ contractId }) => {
    return coinOf(contractId, book).owner === dso;
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

/** Coin that ends: archived by the DSO that owns it, swept away, or burned by a purchase. */
function listBurns(transaction: Transaction, dso: PartyId, book: Book): readonly ExerciseNode[] {
  const exercises = transaction.nodes.filter((node) => node.kind === "exercise");
  const purchases = exercises.filter(isPurchase);
  return [
    ...exercises.filter(({ choice, contractId }) => {
      const coin = coinOrNull(contractId, book);
      if (coin === null || coin.dso !== dso) return false;
      return SWEEPS.includes(choice) || (choice === "Archive" && coin.owner === dso);
    }),
    ...purchases
      .flatMap((node) => listPurchaseBurns(transaction, node, book))
      .filter(({ contractId }) => coinOf(contractId, book).dso === dso),
  ];
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
