/**
 * Contexts of the token standard's choices: the contracts and flags that the ledger asks for, by key, and the contracts that
 * the caller's participant may not know. Keys are Splice's; choices ignore keys that they do not need.
 */
import type { ChoiceContext, RegistryDisclosedContract } from "@callsign/api";
import { formatTime, type JsonValue, networkCatalogue } from "@callsign/ledger";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { toWireContract } from "../wire/wire-contract.ts";

export type ContextKey =
  | "amulet-rules"
  | "open-round"
  | "external-party-config-state"
  | "featured-app-right"
  | "transfer-preapproval";

export interface ContextParts {
  /** Named in the context, and disclosed. */
  readonly named: readonly { readonly key: ContextKey; readonly contract: CurrentContract }[];
  /** Disclosed only. */
  readonly disclosed: readonly CurrentContract[];
  /** True if a lock still stands and is to be taken off; null where no lock is in question. */
  readonly expireLock: boolean | null;
}

export interface ContextForm {
  readonly synchronizerId: string;
  readonly excludeDebugFields: boolean;
}

export function formatContext(
  { named, disclosed, expireLock }: ContextParts,
  form: ContextForm,
): ChoiceContext {
  const values: Record<string, JsonValue> = {};
  for (const { key, contract } of named)
    values[key] = { tag: "AV_ContractId", value: contract.contract.contractId };
  if (expireLock !== null) values["expire-lock"] = { tag: "AV_Bool", value: expireLock };
  const contracts = [...named.map(({ contract }) => contract), ...disclosed];
  return {
    choiceContextData: { values },
    disclosedContracts: contracts.map((contract) => disclose(contract, form)),
  };
}

function disclose(
  current: CurrentContract,
  { synchronizerId, excludeDebugFields }: ContextForm,
): RegistryDisclosedContract {
  const { template_id: templateId, contract_id: contractId, ...shown } = toWireContract(current);
  const plain = { templateId, contractId, createdEventBlob: shown.created_event_blob, synchronizerId };
  if (excludeDebugFields)
    return { ...plain, debugPackageName: null, debugPayload: null, debugCreatedAt: null };
  const template = networkCatalogue.findTemplate(templateId);
  return {
    ...plain,
    debugPackageName: template?.declaration.package.name ?? null,
    debugPayload: shown.payload,
    debugCreatedAt: formatTime(current.contract.createdAt),
  };
}
