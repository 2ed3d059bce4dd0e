/** I16: what a quorum of SVs must have agreed on. */

import { AnsEntryContext } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { ActionRequiringConfirmation } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import {
  Confirmation,
  DsoRules,
} from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import type { Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { type Book, listBeneath, listExercises, listParents } from "./book.ts";
import { hold } from "./violation.ts";

/** The quorum for each size of network that is simulated. */
const QUORUM: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 3, 7: 5 };

/** I16: enough different SVs, none of them too late, all for exactly this action, each used once. */
export function actionsHaveAQuorum(transaction: Transaction, dso: PartyId, book: Book): void {
  for (const node of listExercises(transaction, "DsoRules_ExecuteConfirmedAction")) {
    const rules = book.payload(DsoRules, node.contractId);
    if (rules.dso !== dso) continue;
    const { action, confirmationCids } = node.argument.value as {
      readonly action: ActionRequiringConfirmation;
      readonly confirmationCids: readonly ContractId[];
    };
    const text = ActionRequiringConfirmation.encode(action);
    const members = new Set(rules.svs.map(([sv]) => sv));
    const confirmations = confirmationCids.map((cid) => book.payload(Confirmation, cid));
    const confirmers = new Set(confirmations.map(({ confirmer }) => confirmer));
    const count = QUORUM[members.size] ?? Number.POSITIVE_INFINITY;
    const valid = confirmations.every(
      (given) =>
        given.dso === dso &&
        members.has(given.confirmer) &&
        transaction.ledgerTime < given.expiresAt &&
        ActionRequiringConfirmation.encode(given.action) === text,
    );
    hold("I16 a confirmed action has a quorum", valid && confirmers.size >= count, () => {
      return `${confirmers.size} of ${members.size} SVs confirmed`;
    });
    const archived = listBeneath(transaction, node)
      .filter((child) => child.kind === "exercise" && child.choice === "Archive")
      .map((child) => (child.kind === "exercise" ? child.contractId : ""));
    const usedUp =
      confirmationCids.every((cid) => archived.includes(cid)) && confirmers.size === confirmationCids.length;
    hold("I16 confirmations are used up", usedUp, () => confirmationCids.join());
  }
}

/** I16: initial payments are collected and rejected by confirmed actions alone. */
export function namesAreGivenByTheQuorum(transaction: Transaction, dso: PartyId, book: Book): void {
  const parents = listParents(transaction);
  const choices = ["AnsEntryContext_CollectInitialEntryPayment", "AnsEntryContext_RejectEntryInitialPayment"];
  for (const node of choices.flatMap((choice) => listExercises(transaction, choice))) {
    if (book.payload(AnsEntryContext, node.contractId).dso !== dso) continue;
    const parent = parents[node.nodeId] ?? null;
    const isConfirmed = parent?.choice === "DsoRules_ExecuteConfirmedAction";
    hold("I16 initial payments are decided by a quorum", isConfirmed, () => parent?.choice ?? "nobody");
  }
}
