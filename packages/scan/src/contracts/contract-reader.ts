/** Active contracts, as queries read them. The reader has those of the templates in current-templates.ts. */
import type { AnyTemplateDeclaration, Contract, PayloadOf } from "@callsign/ledger";
import type { CurrentTemplate, RoundTemplate } from "./current-templates.ts";

export interface CurrentContract<T extends AnyTemplateDeclaration = AnyTemplateDeclaration> {
  /** The source of its created-event blob. */
  readonly contract: Contract;
  readonly payload: PayloadOf<T>;
}

export function decodeCurrent<T extends AnyTemplateDeclaration>(
  template: T,
  contract: Contract,
): CurrentContract<T> {
  return { contract, payload: template.record.decode(JSON.parse(contract.payload)) as PayloadOf<T> };
}

export interface ContractReader {
  /** Rounds by their number, all others by creation. */
  readonly list: <T extends CurrentTemplate>(template: T) => readonly CurrentContract<T>[];
  /** The last of the list: the newest round, or the contract that replaced the others. */
  readonly find: <T extends CurrentTemplate>(template: T) => CurrentContract<T> | undefined;
  readonly findLowestRound: (template: RoundTemplate) => bigint | undefined;
  /** In microseconds, of all rounds that are not closed yet. */
  readonly findShortestTick: () => bigint | undefined;
}
