/** A contract of the replica as the SV's clients are shown it. */
import type { WireContract } from "@callsign/api";
import {
  type AnyTemplateDeclaration,
  type Contract,
  formatBlob,
  formatInstant,
  type JsonValue,
  scanJson,
} from "@callsign/ledger";

export function showContract({ record }: AnyTemplateDeclaration, contract: Contract): WireContract {
  const { contractId, templateId, payload, createdAt } = contract;
  return {
    template_id: templateId,
    contract_id: contractId,
    payload: record.toJson(record.decode(JSON.parse(payload)), scanJson) as Record<string, JsonValue>,
    created_event_blob: Buffer.from(formatBlob(contract)).toString("base64"),
    created_at: formatInstant(createdAt),
  };
}
