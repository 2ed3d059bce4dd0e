/** The users with a wallet here and their parties, by the install contracts on the ledger. */
import { type PartyId, WalletAppInstall } from "@callsign/ledger";
import type { WalletContract } from "../store/contract-rows.ts";
import type { ContractQuery, WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "./wallet.ts";

export class WalletDirectory {
  readonly #store: WalletStore;
  readonly #operatorParty: PartyId;

  constructor(store: WalletStore, operatorParty: PartyId) {
    this.#store = store;
    this.#operatorParty = operatorParty;
  }

  findByUser(userName: string): Promise<Wallet | undefined> {
    return this.#find({ name: userName });
  }

  /** Several users may share a party; any of them serves to act for it. */
  findByParty(party: string): Promise<Wallet | undefined> {
    return this.#find({ owner: party });
  }

  /** Users can create any number of contracts that name another validator: the query does not read those. */
  async #find(sought: ContractQuery): Promise<Wallet | undefined> {
    const ours = { ...sought, link: this.#operatorParty };
    const [install] = await this.#store.list(WalletAppInstall, ours, 1);
    return install === undefined ? undefined : walletOf(install);
  }
}

function walletOf({ contractId, payload }: WalletContract<WalletAppInstall>): Wallet {
  return { userName: payload.endUserName, party: payload.endUserParty, install: contractId };
}
