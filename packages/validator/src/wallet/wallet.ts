/** A wallet: a user's name, the party behind it, and the contract that lets the validator act for it. */
import type { ContractId, PartyId } from "@callsign/ledger";

export interface Wallet {
  readonly userName: string;
  readonly party: PartyId;
  readonly install: ContractId;
}
