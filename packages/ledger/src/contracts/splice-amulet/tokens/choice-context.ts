/**
 * The choice context that scan gives to callers of the token standard's choices, by key. The contracts behind the ids are
 * checked where they are used; a value of another kind than expected is refused here.
 */
import { abort } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import type { AnyValue, ChoiceContext } from "../../splice-api-token-v1/metadata.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";
import type { ExternalPartyTransferContext } from "../declarations/transfer.ts";

const CONFIG_STATE = "external-party-config-state";
const FEATURED_APP_RIGHT = "featured-app-right";
const TRANSFER_PREAPPROVAL = "transfer-preapproval";
const EXPIRE_LOCK = "expire-lock";

/** The terms on which coin moves, without a right to rewards: `readTransferContext` keeps the right. */
export function unfeaturedContextOf(
  update: Update,
  dso: PartyId,
  context: ChoiceContext,
): ExternalPartyTransferContext {
  return { ...readTransferContext(update, dso, context), featuredAppRight: null };
}

export function readTransferContext(
  update: Update,
  dso: PartyId,
  context: ChoiceContext,
): ExternalPartyTransferContext {
  const externalPartyConfigState = findContractId(context, CONFIG_STATE) ?? missing(CONFIG_STATE);
  fetchChecked(update, ExternalPartyConfigState, externalPartyConfigState, forDso(dso));
  return { externalPartyConfigState, featuredAppRight: findContractId(context, FEATURED_APP_RIGHT) };
}

export function findPreapproval(context: ChoiceContext): ContractId | null {
  return findContractId(context, TRANSFER_PREAPPROVAL);
}

/** True if a lock still stands and is to be taken off. */
export function getExpireLock(context: ChoiceContext): boolean {
  const value = find(context, EXPIRE_LOCK) ?? missing(EXPIRE_LOCK);
  return value.tag === "AV_Bool" ? value.value : wrong(EXPIRE_LOCK, "bool", value);
}

export function expireLockContext(expireLock: boolean): ChoiceContext {
  return { values: [[EXPIRE_LOCK, { tag: "AV_Bool", value: expireLock }]] };
}

function findContractId(context: ChoiceContext, key: string): ContractId | null {
  const value = find(context, key);
  if (value === undefined) return null;
  return value.tag === "AV_ContractId" ? value.value : wrong(key, "contract id", value);
}

function find({ values }: ChoiceContext, key: string): AnyValue | undefined {
  return values.find(([name]) => name === key)?.[1];
}

function missing(key: string): never {
  return abort(`Missing context entry for: ${key}`);
}

/** Splice shows the value too; its kind says enough. */
function wrong(key: string, expected: string, { tag }: AnyValue): never {
  return abort(`Failed to decode context value for '${key}': expected ${expected}, got: ${tag}`);
}
