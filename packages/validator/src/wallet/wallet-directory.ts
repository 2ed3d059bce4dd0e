/** Which users have a wallet here, and which party is behind each: what install contracts on the ledger say. */
import { type PartyId, WalletAppInstall } from "@callsign/ledger";
import type { StoredContract } from "../store/contract-rows.ts";
import type { Sought, WalletStore } from "../store/wallet-store.ts";
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

  /** Several users may share a party; any of them will do to act for it. */
  findByParty(party: string): Promise<Wallet | undefined> {
    return this.#find({ owner: party });
  }

  /** Users can write any number of contracts that name another validator: those are not even read. */
  async #find(sought: Sought): Promise<Wallet | undefined> {
    const ours = { ...sought, link: this.#operatorParty };
    const [install] = await this.#store.list(WalletAppInstall, ours, 1);
    return install === undefined ? undefined : walletOf(install);
  }
}

function walletOf({ contractId, payload }: StoredContract<WalletAppInstall>): Wallet {
  return { userName: payload.endUserName, party: payload.endUserParty, install: contractId };
}
