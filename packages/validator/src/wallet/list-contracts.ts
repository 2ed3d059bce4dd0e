/** Contracts of one kind as answers carry them, in the order of the ledger. */
import type { ContractWithState, WireContract } from "@callsign/api";
import type { AnyTemplateDeclaration } from "@callsign/ledger";
import type { ContractQuery, WalletStore } from "../store/wallet-store.ts";
import { wireContract, wireContractWithState } from "../store/wire-contract.ts";
import type { WalletParts } from "./wallet-ledger.ts";

export async function listContracts(
  store: WalletStore,
  template: AnyTemplateDeclaration,
  sought: ContractQuery,
): Promise<WireContract[]> {
  return (await store.list(template, sought)).map((each) => wireContract(template, each));
}

export async function listContractsWithState(
  { store, facts }: WalletParts,
  template: AnyTemplateDeclaration,
  sought: ContractQuery,
): Promise<ContractWithState[]> {
  const found = await store.list(template, sought);
  const synchronizerId = await facts.synchronizerId();
  return found.map((each) => wireContractWithState(template, each, synchronizerId));
}
