/** An active contract by its id, from the replica's own state. */
import { type AnyTemplateDeclaration, type LedgerView, parseContractId } from "@callsign/ledger";
import { type CurrentContract, decodeCurrent } from "./contract-reader.ts";

/** Undefined unless a contract of the template has the id. */
export function findContract<T extends AnyTemplateDeclaration>(
  state: Pick<LedgerView, "findContract">,
  template: T,
  id: string,
): CurrentContract<T> | undefined {
  const contractId = parseContractId(id);
  const contract = contractId.ok ? state.findContract(contractId.value) : undefined;
  return contract?.templateId === template.id ? decodeCurrent(template, contract) : undefined;
}
