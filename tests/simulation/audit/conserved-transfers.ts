/** Every transfer, by any choice: outputs equal inputs, and its result says what happened. */
import { Amulet } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { ValidatorRewardCoupon } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import type {
  TransferInput,
  TransferSummary,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import type { Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import { type Book, listParents } from "./book.ts";
import { findCoin, getCoin, listPurchaseBurns } from "./burns.ts";
import { total } from "./decimals.ts";
import type { Worth } from "./rewards.ts";
import { isPurchase, listTransfers, type MadeTransfer } from "./transfers.ts";
import { hold } from "./violation.ts";

/** The worth of a reward that goes into a transfer; null for coin. */
export type WorthOf = (input: TransferInput) => Worth | null;

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
      .flatMap((child) => (child.kind === "create" ? [findCoin(child.contract.contractId, book)] : []))
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
  const burns = listPurchaseBurns(transaction, node, book).map(({ contractId }) => getCoin(contractId, book));
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
