/** Something that a person does with a wallet. */
import type { LocalNetwork } from "../support/local-network.ts";
import type { Person, WalletPeople } from "./wallet-people.ts";

export interface Stage {
  readonly people: WalletPeople;
  readonly network: LocalNetwork;
}

export interface Action {
  readonly weight: number;
  /** Resolves false if there was nothing to do. */
  readonly act: (stage: Stage, person: Person) => Promise<boolean>;
}
