/** Two people who buy names through the validator, some of them the same ones, while faults happen. */
import { sleep, systemHost } from "@callsign/node";
import type { SharedLogNetwork } from "../operator/shared-log-network.ts";

export const BUYERS = ["alice", "bob"] as const;
const POLL_MILLISECONDS = 100;
const PAUSE_MILLISECONDS = 500;
/** No payment is under way when names are read: a scan may be a moment behind. */
const LIVE_MILLISECONDS = 20_000;

/** By the name; an owner is undefined if a scan does not have the name. */
export type ShownOwners = ReadonlyMap<string, readonly (string | undefined)[]>;

export class NameBuyers {
  /** Names of which a payment was acknowledged. */
  readonly paid = new Set<string>();
  /** The parties that asked for a name, by the name. One of them has it if it was paid for. */
  readonly askers = new Map<string, Set<string>>();
  readonly parties = new Map<string, string>();
  readonly #network: SharedLogNetwork;
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(network: SharedLogNetwork) {
    this.#network = network;
  }

  async prepare(): Promise<void> {
    await this.#network.wallet("bob").register({ body: {} });
    for (const user of BUYERS) {
      const wallet = this.#network.wallet(user);
      await wallet.tap({ body: { amount: "1000.0" } });
      this.parties.set(user, (await wallet.userStatus()).party_id);
    }
  }

  start(): void {
    this.#running = Promise.all([
      ...BUYERS.map((user) => this.#buyUntilStopped(user)),
      this.#raceUntilStopped(),
    ]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #buyUntilStopped(user: string): Promise<void> {
    for (let i = 0; !this.#isStopped; i++) {
      const name = `${user}-${i}.unverified.cns`;
      await this.#request(user, name).then(
        (payment) => this.#pay(user, name, payment),
        () => undefined,
      );
      await sleep(PAUSE_MILLISECONDS, systemHost);
    }
  }

  /** Both ask for a name before either pays, and both pay. */
  async #raceUntilStopped(): Promise<void> {
    for (let i = 0; !this.#isStopped; i++) {
      const name = `shared-${i}.unverified.cns`;
      const requests = await Promise.allSettled(BUYERS.map((user) => this.#request(user, name)));
      const payments = requests.map((request, place) =>
        request.status === "fulfilled" ? this.#pay(BUYERS[place] ?? "", name, request.value) : undefined,
      );
      await Promise.all(payments);
      await sleep(PAUSE_MILLISECONDS, systemHost);
    }
  }

  async #request(user: string, name: string): Promise<string> {
    this.askers.set(name, (this.askers.get(name) ?? new Set()).add(this.parties.get(user) ?? ""));
    const body = { name, url: "", description: "" };
    return (await this.#network.wallet(user).createAnsEntry({ body })).subscriptionRequestCid;
  }

  /** Does nothing more if the payment is not acknowledged. */
  async #pay(user: string, name: string, subscriptionRequestCid: string): Promise<void> {
    const params = { contract_id: subscriptionRequestCid };
    await this.#network
      .wallet(user)
      .acceptSubscriptionRequest({ params })
      .then(
        () => void this.paid.add(name),
        () => undefined,
      );
  }

  /** The owners that the three scans show, by each name that was paid for. */
  async readOwners(): Promise<ShownOwners> {
    const shown = new Map<string, readonly (string | undefined)[]>();
    for (const name of this.paid)
      shown.set(name, await Promise.all([1, 2, 3].map((number) => this.#ownerAt(number, name))));
    return shown;
  }

  /** Undefined if the scan does not have the name in time. */
  async #ownerAt(number: number, name: string): Promise<string | undefined> {
    const end = performance.now() + LIVE_MILLISECONDS;
    for (;;) {
      try {
        return (await this.#network.scan(number).lookupAnsEntryByName({ params: { name } })).entry.user;
      } catch {
        if (performance.now() >= end) return undefined;
        await sleep(POLL_MILLISECONDS, systemHost);
      }
    }
  }
}

/** Names that a scan lacks, or shows as a stranger's, or that scans show differently. */
export function compareShownOwners(
  shown: ShownOwners,
  askers: ReadonlyMap<string, ReadonlySet<string>>,
  givenBack: ReadonlySet<string>,
): readonly string[] {
  return [...shown].flatMap(([name, owners]) => {
    const [first] = owners;
    const isOwner = first === undefined ? givenBack.has(name) : askers.get(name)?.has(first) === true;
    const isRight = isOwner && owners.every((owner) => owner === first);
    return isRight ? [] : [`${name} was paid for, and scans say that it is ${owners.join(", ")}'s`];
  });
}
