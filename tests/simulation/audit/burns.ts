/** Coin as it stands in the book, and where it ends: by the DSO, by sweeping, by a purchase. */
import {
  Amulet,
  LockedAmulet,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listParents } from "./book.ts";
import { isPurchase } from "./transfers.ts";

/** The choices that end a coin, and so make the supply smaller; a transfer's own archives are not among them. */
const SWEEPS = ["Amulet_ExpireV2", "LockedAmulet_ExpireAmuletV2"];

/** Coin that ends: archived by the DSO that owns it, swept away, or burned by a purchase. */
export function listBurns(transaction: Transaction, dso: PartyId, book: Book): readonly ExerciseNode[] {
  const exercises = transaction.nodes.filter((node) => node.kind === "exercise");
  const purchases = exercises.filter(isPurchase);
  return [
    ...exercises.filter(({ choice, contractId }) => {
      const coin = findCoin(contractId, book);
      if (coin === null || coin.dso !== dso) return false;
      return SWEEPS.includes(choice) || (choice === "Archive" && coin.owner === dso);
    }),
    ...purchases
      .flatMap((node) => listPurchaseBurns(transaction, node, book))
      .filter(({ contractId }) => getCoin(contractId, book).dso === dso),
  ];
}

/** The coin that a purchase makes for itself and archives at once. */
export function listPurchaseBurns(
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
      return choice === "Archive" && made.has(contractId) && findCoin(contractId, book) !== null;
    });
}

export function findCoin(contractId: ContractId, book: Book): Amulet | null {
  const { contract, value } = book.get(contractId);
  if (contract.templateId === Amulet.id) return value as Amulet;
  return contract.templateId === LockedAmulet.id ? (value as LockedAmulet).amulet : null;
}

export function getCoin(contractId: ContractId, book: Book): Amulet {
  const coin = findCoin(contractId, book);
  if (coin === null) throw new Error(`${contractId} is no coin`);
  return coin;
}
