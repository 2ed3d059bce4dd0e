/** Some contracts are known to the last field: the contract behind an id has to be exactly the expected one. */
import { equalValues } from "../../daml/daml-type.ts";
import { HIDDEN_CONTRACT_ID } from "../../daml/show.ts";
import type { AnyTemplateDeclaration, PayloadOf } from "../../engine/declaration.ts";
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";

export function requireMatchingContract<T extends AnyTemplateDeclaration>(
  update: Update,
  template: T,
  contractId: ContractId,
  expected: PayloadOf<T>,
): void {
  const found = update.fetch(template, contractId);
  if (equalValues(template.record, found, expected)) return;
  const { show } = template.record;
  abort(
    `Contract mismatch: expected ${show(expected)}, got ${show(found)} referenced by ${HIDDEN_CONTRACT_ID}`,
  );
}
