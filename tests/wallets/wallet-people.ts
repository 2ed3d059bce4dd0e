/** People with wallets: their coin and names by the test's own sums, and the offers that are open between them. */
import type { ValidatorClient } from "../support/network-clients.ts";
import type { Random } from "../support/random.ts";
import type { WalletNode } from "./wallet-node.ts";

export interface Person {
  readonly name: string;
  readonly node: WalletNode;
  readonly party: string;
  readonly wallet: ValidatorClient;
}

/** An amount of coin, in units of its last digit. */
export type Units = bigint;

export interface OpenOffer {
  readonly from: Person;
  readonly to: Person;
  readonly amount: Units;
  readonly contractId: string;
  readonly trackingId: string;
}

export interface WantedName {
  readonly name: string;
  readonly buyers: readonly Person[];
}

export class WalletPeople {
  readonly random: Random;
  readonly people: Person[] = [];
  /** Offers that nobody has answered yet. */
  readonly offers: OpenOffer[] = [];
  /** The contract ids of offers that expire when the turn is over. */
  readonly expiring = new Set<string>();
  /** People with a preapproval: they receive coin without being asked. */
  readonly preapproved = new Set<Person>();
  /** Names that were paid for in this turn: one buyer of each gets it. */
  readonly wanted: WantedName[] = [];
  readonly owned = new Map<string, Person>();
  /** Names that nobody renews: their holders may take them up again. */
  readonly cancelled = new Map<string, Person>();
  /** The vault of each person whose wallet is swept: the receiver of the sweeps, which does nothing else. */
  readonly vaults = new Map<Person, Person>();
  readonly #coins = new Map<Person, Units>();
  readonly #done = new Map<string, number>();
  #ids = 0;

  constructor(random: Random) {
    this.random = random;
  }

  join(person: Person): void {
    this.people.push(person);
    this.#coins.set(person, 0n);
  }

  /** All people, and the vaults. */
  get everybody(): readonly Person[] {
    return [...this.people, ...this.vaults.values()];
  }

  /** Problems: people whose coin, together with that of their vault, is not the sum that the test expects. */
  compare(what: string, said: ReadonlyMap<Person, Units>): readonly string[] {
    return this.people.flatMap((person) => {
      const vault = this.vaults.get(person);
      const total = (said.get(person) ?? 0n) + (vault === undefined ? 0n : (said.get(vault) ?? 0n));
      const wanted = this.coinOf(person);
      return total === wanted ? [] : [`${what}: ${person.name} has ${total}, and should have ${wanted}`];
    });
  }

  /** An id that no other request has. */
  id(prefix: string): string {
    this.#ids++;
    return `${prefix}-${this.#ids}`;
  }

  coinOf(person: Person): Units {
    return this.#coins.get(person) ?? 0n;
  }

  earn(person: Person, amount: Units): void {
    this.#coins.set(person, this.coinOf(person) + amount);
  }

  move(from: Person, to: Person, amount: Units): void {
    this.earn(from, -amount);
    this.earn(to, amount);
  }

  other(person: Person, candidates: readonly Person[] = this.people): Person | undefined {
    return this.random.find(candidates.filter((each) => each !== person));
  }

  /** Removes an open offer from the list, so that nobody else acts on it. */
  takeOffer(isMine: (offer: OpenOffer) => boolean): OpenOffer | undefined {
    const offer = this.random.find(this.offers.filter(isMine));
    if (offer !== undefined) this.offers.splice(this.offers.indexOf(offer), 1);
    return offer;
  }

  count(action: string): void {
    this.#done.set(action, (this.#done.get(action) ?? 0) + 1);
  }

  get done(): ReadonlyMap<string, number> {
    return this.#done;
  }
}
