/** Active contracts as scan shows them. A contract never changes, so each is formatted once. */
import type { ContractWithState, MaybeCachedContractWithState, WireContract } from "@callsign/api";
import { formatBlob, formatInstant, type JsonValue, scanJson } from "@callsign/ledger";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { needTemplate } from "../history/need-template.ts";

/** The index hands out the same object for as long as the contract is current. */
const shown = new WeakMap<CurrentContract, WireContract>();

export function toWireContract(current: CurrentContract): WireContract {
  let wire = shown.get(current);
  if (wire === undefined) {
    wire = convert(current);
    shown.set(current, wire);
  }
  return wire;
}

export function showWithState(current: CurrentContract, domainId: string | null): ContractWithState {
  return { contract: toWireContract(current), domain_id: domainId };
}

/** Without the contract for a caller that has it. */
export function showUnlessCached(
  current: CurrentContract,
  domainId: string | null,
  isCached: boolean,
): MaybeCachedContractWithState {
  return { contract: isCached ? null : toWireContract(current), domain_id: domainId };
}

function convert({ contract, payload }: CurrentContract): WireContract {
  const { contractId, templateId, createdAt } = contract;
  return {
    template_id: templateId,
    contract_id: contractId,
    payload: showPayload(templateId, payload),
    created_event_blob: Buffer.from(formatBlob(contract)).toString("base64"),
    created_at: formatInstant(createdAt),
  };
}

function showPayload(templateId: string, payload: unknown): Record<string, JsonValue> {
  return needTemplate(templateId).payload.toJson(payload as never, scanJson) as Record<string, JsonValue>;
}
