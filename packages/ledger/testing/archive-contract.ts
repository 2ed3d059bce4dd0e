/** The choice that every template has without declaring it: all signatories together archive a contract. */
import { unit } from "../src/daml/scalars.ts";
import { type AnyTemplateDeclaration, consuming } from "../src/engine/declaration.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { Sandbox, Submitting } from "./sandbox.ts";

export function archiveContract(
  sandbox: Sandbox,
  template: AnyTemplateDeclaration,
  contractId: ContractId,
  as: Submitting,
): void {
  const withArchive = { ...template, choices: { Archive: consuming({}, unit) } };
  sandbox.exercise(withArchive, contractId, "Archive", {}, as);
}
