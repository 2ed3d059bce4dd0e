/** Contracts of the replica as the SV's clients are shown them. */
import type { WireContract } from "@callsign/api";
import {
  type AnyTemplateDeclaration,
  type Contract,
  type ContractId,
  formatBlob,
  formatInstant,
  type JsonValue,
  scanJson,
} from "@callsign/ledger";
import type { SvApp } from "./sv-app.ts";

export function showContract(app: SvApp, { record }: AnyTemplateDeclaration, id: ContractId): WireContract {
  const contract = getContract(app, id);
  const { contractId, templateId, payload, createdAt } = contract;
  return {
    template_id: templateId,
    contract_id: contractId,
    payload: record.toJson(record.decode(JSON.parse(payload)), scanJson) as Record<string, JsonValue>,
    created_event_blob: Buffer.from(formatBlob(contract)).toString("base64"),
    created_at: formatInstant(createdAt),
  };
}

/** The app's rows and the replica's contracts change in one transaction: what is in the one is in the other. */
export function getContract({ replica }: SvApp, contractId: ContractId): Contract {
  const contract = replica.state.findContract(contractId);
  if (contract === undefined) throw new Error(`${contractId} is in the rows, but not in the replica`);
  return contract;
}
