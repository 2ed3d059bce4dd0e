/**
 * A contract id in an argument says nothing about the contract behind it. These fetches also check that the
 * contract belongs where the caller expects it: to the same DSO, owner or round.
 */

import type { AnyTemplateDeclaration, PayloadOf } from "../../engine/declaration.ts";
import { requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";

export function fetchChecked<T extends AnyTemplateDeclaration>(
  update: Update,
  template: T,
  contractId: ContractId,
  belongs: (contract: PayloadOf<T>) => boolean,
): PayloadOf<T> {
  const contract = update.fetch(template, contractId);
  requireThat(`${template.entity} belongs to the expected group`, belongs(contract));
  return contract;
}

/** How inputs are used up and how coin is burned. */
export function fetchAndArchive<T extends AnyTemplateDeclaration>(
  update: Update,
  template: T,
  contractId: ContractId,
  belongs: (contract: PayloadOf<T>) => boolean,
): PayloadOf<T> {
  const contract = fetchChecked(update, template, contractId, belongs);
  update.archive(template, contractId);
  return contract;
}
