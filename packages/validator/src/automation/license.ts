/** The validator's license on the ledger. Its choices replace it, so what uses it has to take turns. */
import { type PartyId, ValidatorLicense } from "@callsign/ledger";
import { KeyedQueue } from "@callsign/node";
import type { StoredContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";

export class License {
  readonly #store: WalletStore;
  readonly #turns = new KeyedQueue();
  readonly validator: PartyId;

  constructor(store: WalletStore, validator: PartyId) {
    this.#store = store;
    this.validator = validator;
  }

  /** One, should there be several. */
  async find(): Promise<StoredContract<ValidatorLicense> | undefined> {
    return (await this.#store.list(ValidatorLicense, { owner: this.validator }, 1))[0];
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run("license", work);
  }
}
