/**
 * A contract id in an argument says nothing about the contract behind it. These fetches also check that the
 * contract belongs where the caller expects it: to the same DSO, owner or round.
 */

import type {
  AnyInterfaceDeclaration,
  AnyTemplateDeclaration,
  PayloadOf,
  ViewOf,
} from "../../engine/declaration.ts";
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type ContractGroup, isOfGroup, showGroup } from "./contract-group.ts";

export function fetchChecked<T extends AnyTemplateDeclaration>(
  update: Update,
  template: T,
  contractId: ContractId,
  group: ContractGroup<PayloadOf<T>>,
): PayloadOf<T> {
  const contract = update.fetch(template, contractId);
  requireGroup(group, contract, `${template.entity} ${contractId}`);
  return contract;
}

/** The same through an interface, whose view says where the contract belongs. */
export function fetchViewChecked<I extends AnyInterfaceDeclaration>(
  update: Update,
  declaration: I,
  contractId: ContractId,
  group: ContractGroup<ViewOf<I>>,
): ViewOf<I> {
  const view = update.fetchView(declaration, contractId);
  requireGroup(group, view, `${declaration.entity} ${contractId}`);
  return view;
}

/** Uses an input up, or burns a coin. */
export function fetchAndArchive<T extends AnyTemplateDeclaration>(
  update: Update,
  template: T,
  contractId: ContractId,
  group: ContractGroup<PayloadOf<T>>,
): PayloadOf<T> {
  const contract = fetchChecked(update, template, contractId, group);
  update.archive(template, contractId);
  return contract;
}

/** Splice ends the message with all of the contract's fields; we name the contract, which is shorter and enough. */
export function requireGroup<Contract>(
  group: ContractGroup<Contract>,
  contract: Contract,
  described: string,
): void {
  if (isOfGroup(group, contract)) return;
  const { name, expected, groupOf } = group;
  const found = showGroup(name, groupOf(contract));
  abort(
    `Contract group identifier mismatch: expected ${showGroup(name, expected)}, got ${found} for ${described}`,
  );
}
