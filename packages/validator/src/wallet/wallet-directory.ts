/** The users with a wallet here and their parties, by the install contracts on the ledger. */
import { type PartyId, WalletAppInstall } from "@callsign/ledger";
import { CACHED_WALLETS } from "../limits/limits.ts";
import { KeptReads } from "../store/kept-reads.ts";
import type { ContractQuery, WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "./wallet.ts";

export class WalletDirectory {
  readonly #store: WalletStore;
  readonly #operatorParty: PartyId;
  readonly #byUser: KeptReads<Wallet>;

  constructor(store: WalletStore, operatorParty: PartyId) {
    this.#store = store;
    this.#operatorParty = operatorParty;
    this.#byUser = new KeptReads({
      limit: CACHED_WALLETS,
      changes: () => store.changesOf(WalletAppInstall),
    });
  }

  findByUser(userName: string): Promise<Wallet | undefined> {
    return this.#byUser.get(userName, () => this.#find({ name: userName }));
  }

  /** The same, if nothing has to be read for it. */
  findCached(userName: string): Wallet | undefined {
    return this.#byUser.find(userName);
  }

  /** Several users may share a party; any of them serves to act for it. */
  findByParty(party: string): Promise<Wallet | undefined> {
    return this.#find({ owner: party });
  }

  /** The names of all users, each once, in the order in which they came. */
  async listUsers(): Promise<readonly string[]> {
    const names = new Set<string>();
    for (let after = -1n; ; ) {
      const page = await this.#store.list(WalletAppInstall, { link: this.#operatorParty, after });
      for (const { payload } of page) names.add(payload.endUserName);
      const last = page.at(-1);
      if (last === undefined) return [...names];
      after = last.place;
    }
  }

  /** Users can create any number of contracts that name another validator: the query does not read those. */
  async #find(sought: ContractQuery): Promise<Wallet | undefined> {
    const ours = { ...sought, link: this.#operatorParty };
    const [found] = await this.#store.list(WalletAppInstall, ours, 1);
    if (found === undefined) return undefined;
    const { contractId: install, payload } = found;
    return { userName: payload.endUserName, party: payload.endUserParty, install };
  }
}
