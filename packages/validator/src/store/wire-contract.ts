/** A contract as the validator's answers carry it: its payload in scan's dialect of JSON. */
import type { ContractWithState, WireContract } from "@callsign/api";
import { type AnyTemplateDeclaration, formatInstant, type PayloadOf, scanJson } from "@callsign/ledger";
import type { WalletContract } from "./contract-rows.ts";

export function wireContract<T extends AnyTemplateDeclaration>(
  template: T,
  { contractId, templateId, payload, blob, createdAt }: WalletContract<PayloadOf<T>>,
): WireContract {
  return {
    template_id: templateId,
    contract_id: contractId,
    payload: template.record.toJson(payload, scanJson) as WireContract["payload"],
    created_event_blob: blob,
    created_at: formatInstant(createdAt),
  };
}

/** With the synchronizer that it is on. */
export function wireContractWithState<T extends AnyTemplateDeclaration>(
  template: T,
  contract: WalletContract<PayloadOf<T>>,
  synchronizerId: string | null,
): ContractWithState {
  return { contract: wireContract(template, contract), domain_id: synchronizerId };
}
