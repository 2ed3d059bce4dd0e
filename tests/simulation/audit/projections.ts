/**
 * The projection for each party, worked out again from the rule itself: a party sees a node if it is an informee of it
 * or sees the node above it. The engine's projections must show that: nothing more and nothing less.
 */

import { type ProjectedEvent, projectLedgerEffects } from "../../../packages/ledger/src/engine/projection.ts";
import type { Transaction, TransactionNode } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type AcsDeltaEvent, projectAcsDelta } from "../../../packages/ledger/testing/project-acs-delta.ts";
import { choiceObserversOf, controllersOf } from "./authority.ts";
import { type Book, listParents } from "./book.ts";
import { hold } from "./violation.ts";

export class Projections {
  /** Each party's active contracts, added up from the changes it was shown. */
  readonly #shown = new Map<PartyId, Set<ContractId>>();

  /** Projection never shows a party more than it may see, and never less: alone, and with others of its member. */
  showExactlyWhatMayBeSeen(
    transaction: Transaction,
    audience: readonly (readonly PartyId[])[],
    book: Book,
  ): void {
    const witnesses = listWitnesses(transaction, book);
    const transient = listTransient(transaction);
    for (const parties of audience) {
      const set = new Set(parties);
      const effects = projectLedgerEffects(transaction, set);
      const expected = transaction.nodes.map((node) => line(node, witnesses[node.nodeId] ?? new Set(), set));
      compare("ledger effects", parties, effects.map(lineOf), expected);
      const delta = projectAcsDelta(transaction, set);
      const changes = transaction.nodes.map((node) => {
        const changesActive = (node.kind === "create" || node.consuming) && !transient.has(idOf(node));
        return changesActive ? line(node, stakeholders(node, book), set) : "";
      });
      compare("ACS delta", parties, delta.map(lineOf), changes);
    }
    for (const party of new Set(audience.flat())) this.#follow(party, transaction);
  }

  /** The changes that a party was shown add up to exactly its active contracts. */
  addUpToTheActiveContracts(book: Book): void {
    const expected = new Map<PartyId, Set<ContractId>>();
    for (const [contractId, { signatories, observers }] of book.active) {
      for (const party of [...signatories, ...observers]) {
        expected.set(party, (expected.get(party) ?? new Set()).add(contractId));
      }
    }
    for (const [party, shown] of this.#shown) {
      const active = expected.get(party) ?? new Set();
      const isSame = shown.size === active.size && [...shown].every((contractId) => active.has(contractId));
      hold("ACS deltas add up to the active contracts", isSame, () => party);
    }
  }

  #follow(party: PartyId, transaction: Transaction): void {
    const shown = this.#shown.get(party) ?? new Set<ContractId>();
    this.#shown.set(party, shown);
    for (const { kind, node } of projectAcsDelta(transaction, new Set([party]))) {
      if (kind === "created") shown.add(node.contract.contractId);
      else shown.delete(node.contractId);
    }
  }
}

function listWitnesses(transaction: Transaction, book: Book): readonly ReadonlySet<PartyId>[] {
  const parents = listParents(transaction);
  const witnesses: Set<PartyId>[] = [];
  for (const node of transaction.nodes) {
    const parent = parents[node.nodeId] ?? null;
    const inherited = parent === null ? [] : (witnesses[parent.nodeId] ?? []);
    witnesses.push(new Set([...inherited, ...concernedBy(node, book)]));
  }
  return witnesses;
}

/**
 * A create concerns its stakeholders; an exercise who signs and who acts, if it archives also observers, and the
 * choice's own observers, which a few choices have.
 */
function concernedBy(node: TransactionNode, book: Book): readonly PartyId[] {
  const { signatories, observers } = book.get(idOf(node));
  if (node.kind === "create") return [...signatories, ...observers];
  const acting = [...controllersOf(node, book), ...choiceObserversOf(node)];
  return [...signatories, ...acting, ...(node.consuming ? observers : [])];
}

function stakeholders(node: TransactionNode, book: Book): ReadonlySet<PartyId> {
  const { signatories, observers } = book.get(idOf(node));
  return new Set([...signatories, ...observers]);
}

function listTransient({ nodes }: Transaction): ReadonlySet<ContractId> {
  const created = new Set(nodes.filter((node) => node.kind === "create").map(idOf));
  const consumed = nodes.filter((node) => node.kind === "exercise" && node.consuming).map(idOf);
  return new Set(consumed.filter((contractId) => created.has(contractId)));
}

function idOf(node: TransactionNode): ContractId {
  return node.kind === "create" ? node.contract.contractId : node.contractId;
}

/** A node and those of the audience that see it; empty if none does. */
function line(
  { nodeId }: TransactionNode,
  seenBy: ReadonlySet<PartyId>,
  audience: ReadonlySet<PartyId>,
): string {
  const names = [...seenBy].filter((party) => audience.has(party)).sort();
  return names.length === 0 ? "" : `${nodeId} ${names.join(",")}`;
}

function lineOf({ node, witnesses }: ProjectedEvent | AcsDeltaEvent): string {
  return `${node.nodeId} ${[...witnesses].sort().join(",")}`;
}

function compare(
  what: string,
  parties: readonly PartyId[],
  shown: readonly string[],
  maySee: readonly string[],
): void {
  const expected = maySee.filter((text) => text !== "");
  hold(
    `projection shows exactly what may be seen (${what})`,
    shown.join("\n") === expected.join("\n"),
    () => {
      return `for ${parties.join(", ")}: shown [${shown.join("; ")}], may see [${expected.join("; ")}]`;
    },
  );
}
