/** The rules of authority, worked out again from the shape of a transaction and the tables alone. */

import { formatBlob } from "../../../packages/ledger/src/engine/contract.ts";
import type { ExerciseNode, Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { sha256 } from "../../../packages/ledger/testing/sha256.ts";
import { type Book, listParents } from "./book.ts";
import { controllersByTable } from "./controller-table.ts";
import { hold } from "./violation.ts";

export interface Submitters {
  readonly actAs: readonly PartyId[];
  readonly readAs: readonly PartyId[];
  readonly disclosed: readonly { readonly contractId: ContractId; readonly blobHash: string }[];
}

/**
 * No event without authority: what a submission asks for itself needs its acting parties; what follows from an
 * exercise has the signatories of the contract and the controllers of the choice, and nobody else's.
 */
export function eventsHaveAuthority(transaction: Transaction, actAs: readonly PartyId[], book: Book): void {
  const parents = listParents(transaction);
  for (const node of transaction.nodes) {
    const parent = parents[node.nodeId] ?? null;
    const authority = parent === null ? new Set(actAs) : authorityOf(parent, book);
    const needed =
      node.kind === "create" ? book.get(node.contract.contractId).signatories : controllersOf(node, book);
    const missing = [...needed].filter((party) => !authority.has(party));
    const what = node.kind === "create" ? `create of ${node.contract.templateId}` : node.choice;
    hold("no event without authority", needed.size > 0 && missing.length === 0, () => {
      return `${what} lacks ${missing.join(", ")}`;
    });
  }
}

/** I15: a node shows exactly the signatories, observers and controllers of the tables. */
export function nodesNameTheirParties(transaction: Transaction, book: Book): void {
  for (const node of transaction.nodes) {
    const { signatories, observers } = book.get(
      node.kind === "create" ? node.contract.contractId : node.contractId,
    );
    const right =
      isSame(node.signatories, signatories) &&
      isSame(node.observers, observers) &&
      (node.kind === "create" ||
        (isSame(node.actingParties, controllersOf(node, book)) &&
          isSame(node.choiceObservers, new Set(choiceObserversOf(node)))));
    hold("I15 stakeholders and controllers are those of the model", right, () => {
      return node.kind === "create" ? node.contract.templateId : `${node.choice} on ${node.templateId}`;
    });
  }
}

/** Every contract is consumed at most once, and used only while it is active. */
export function contractsAreUsedWhileActive({ nodes }: Transaction, book: Book): void {
  const created = new Set<ContractId>();
  const consumed = new Set<ContractId>();
  for (const node of nodes) {
    if (node.kind === "create") {
      created.add(node.contract.contractId);
      continue;
    }
    const { contractId } = node;
    const isActive = (created.has(contractId) || book.active.has(contractId)) && !consumed.has(contractId);
    hold("no use of a contract that is not active", isActive, () => `${node.choice} on ${contractId}`);
    if (node.consuming) consumed.add(contractId);
  }
}

/** A submitter uses only contracts that an acting or reading party sees, or that were disclosed to it. */
export function contractsAreSeen(transaction: Transaction, submitters: Submitters, book: Book): void {
  const { actAs, readAs, disclosed } = submitters;
  const ours = [...actAs, ...readAs];
  for (const node of transaction.nodes) {
    if (node.kind === "create" || !book.active.has(node.contractId)) continue;
    const { contract, signatories, observers } = book.get(node.contractId);
    const isSeen =
      ours.some((party) => signatories.has(party) || observers.has(party)) ||
      disclosed.some(
        ({ contractId, blobHash }) =>
          contractId === node.contractId && blobHash === sha256(formatBlob(contract)),
      );
    hold("no use of a contract that is neither seen nor disclosed", isSeen, () => {
      return `${node.choice} on ${contract.templateId}, for ${ours.join(", ")}`;
    });
  }
}

function authorityOf(node: ExerciseNode, book: Book): ReadonlySet<PartyId> {
  return new Set([...book.get(node.contractId).signatories, ...controllersOf(node, book)]);
}

export function controllersOf(node: ExerciseNode, book: Book): ReadonlySet<PartyId> {
  const { value } = book.get(node.contractId);
  return controllersByTable(node.templateId, node.choice, value, node.argument.value);
}

const OBSERVED = [
  "AmuletRules_ConvertFeaturedAppActivityMarkers",
  "AmuletRules_Amulet_ExpireTransferInstructions",
  "ExternalPartyAmuletRules_ExpireAmuletAllocations",
];

/** Only a few choices name observers of their own. */
export function choiceObserversOf({ choice, argument }: ExerciseNode): readonly PartyId[] {
  if (!OBSERVED.includes(choice)) return [];
  return (argument.value as { readonly observers: readonly PartyId[] | null }).observers ?? [];
}

/** The same parties, each once, in any order. */
function isSame(given: readonly PartyId[], expected: ReadonlySet<PartyId>): boolean {
  return given.length === expected.size && given.every((party) => expected.has(party));
}
