/**
 * An economy of wallets over HTTP: twenty people on two nodes act at random, all at once, while validators and participants are
 * killed and come back. After each turn wallets, ledgers and scans must agree on their coin to the last digit.
 */
import { inspect } from "node:util";
import { until } from "../../packages/node/testing/until.ts";
import { LocalNetwork, TICK } from "../support/local-network.ts";
import { Random } from "../support/random.ts";
import type { RunRole } from "./role-runner.ts";
import { ACTIONS, COINS_OF_DOLLAR, NAME_PRICE } from "./wallet-actions.ts";
import { checkLedgers, checkOffers, checkScans, checkWallets, settleNames } from "./wallet-checks.ts";
import { type Role, WalletNode } from "./wallet-node.ts";
import { type Person, WalletPeople } from "./wallet-people.ts";

const NODES = ["north", "south"] as const;
const PEOPLE_OF_NODE = 10;
/** The time within which validators, participants and scans must agree after a turn. */
const SETTLE_MILLISECONDS = 60_000;

export interface EconomyTerms {
  readonly seed: number;
  readonly turns: number;
  /** The number of kills in each turn. */
  readonly kills: number;
  readonly run: RunRole;
}

export interface EconomyReport {
  readonly problems: readonly string[];
  /** The number of times that each action was done. */
  readonly done: ReadonlyMap<string, number>;
  readonly kills: readonly string[];
}

export async function runWalletEconomy({ seed, turns, kills, run }: EconomyTerms): Promise<EconomyReport> {
  const network = await LocalNetwork.start();
  const nodes: WalletNode[] = [];
  try {
    for (const name of NODES) nodes.push(await WalletNode.start(name, network, run));
    const economy = new WalletEconomy(network, nodes, new Random(seed));
    await economy.begin();
    const problems: string[] = [];
    for (let turn = 1; turn <= turns && problems.length === 0; turn++)
      problems.push(...(await economy.play(kills)).map((problem) => `turn ${turn}: ${problem}`));
    return { problems, done: economy.people.done, kills: economy.kills };
  } finally {
    for (const node of nodes) await node.close();
    await network.close();
  }
}

class WalletEconomy {
  readonly people: WalletPeople;
  readonly kills: string[] = [];
  readonly #network: LocalNetwork;
  readonly #nodes: readonly WalletNode[];
  readonly #random: Random;

  constructor(network: LocalNetwork, nodes: readonly WalletNode[], random: Random) {
    this.#network = network;
    this.#nodes = nodes;
    this.#random = random;
    this.people = new WalletPeople(random);
  }

  /** Registers everybody, and taps coin for everybody. */
  async begin(): Promise<void> {
    await Promise.all(
      this.#nodes.map(async (node) => {
        const operator = await node.wallet(node.operatorUser);
        await operator.tap({ body: { amount: "1000" } });
        for (let place = 1; place <= PEOPLE_OF_NODE; place++)
          await this.#joinIn(node, `${node.name}-${place}`);
        await this.#sweep(node);
      }),
    );
  }

  async #comeIn(node: WalletNode, name: string): Promise<Person> {
    const wallet = await node.wallet(name);
    const { party_id: party } = await wallet.register();
    return { name, node, party, wallet };
  }

  async #joinIn(node: WalletNode, name: string): Promise<void> {
    const person = await this.#comeIn(node, name);
    this.people.join(person);
    await person.wallet.tap({ body: { amount: "20" } });
    this.people.earn(person, 20n * COINS_OF_DOLLAR);
  }

  /** Sweeps the wallet of the node's last person into a vault: by preapproval in the north, by offers in the south. */
  async #sweep(node: WalletNode): Promise<void> {
    const vault = await this.#comeIn(node, `${node.name}-vault`);
    const swept = this.people.people.findLast((person) => person.node === node);
    if (swept === undefined) throw new Error(`nobody lives on ${node.name}`);
    const useTransferPreapproval = node === this.#nodes[0];
    if (useTransferPreapproval) await vault.wallet.createTransferPreapproval();
    this.people.vaults.set(swept, vault);
    const terms = { maxBalanceUSD: 20, minBalanceUSD: 15, receiver: vault.party, useTransferPreapproval };
    await node.restartValidatorWith({
      walletSweep: { [swept.party]: terms },
      autoAcceptTransfers: { [vault.party]: { fromParties: [swept.party] } },
    });
  }

  /** Each person acts once, while roles are killed that many times. Then everything is compared. */
  async play(kills: number): Promise<readonly string[]> {
    const acting = Promise.allSettled(this.people.people.map((person) => this.#act(person)));
    for (let kill = 0; kill < kills; kill++) await this.#killSomebody(acting);
    const failed = (await acting).flatMap((each) =>
      each.status === "rejected" ? [inspect(each.reason)] : [],
    );
    for (const node of this.#nodes) await node.ready();
    await this.#network.settle();
    failed.push(...(await settleNames(this.people, this.#network, NAME_PRICE)));
    if (failed.length > 0) return failed;
    const before = await this.#agree(async () => [
      ...(await this.#listProblems()),
      ...(await checkOffers(this.people)),
    ]);
    // Scans take a snapshot of holdings, and the offers of this turn expire in the next one.
    await this.#network.net.moveClock(TICK);
    this.people.expiring.clear();
    return [...before, ...(await this.#agree(() => checkScans(this.people, this.#network)))];
  }

  async #listProblems(): Promise<readonly string[]> {
    const problems = await Promise.all([checkWallets(this.people), checkLedgers(this.people, this.#nodes)]);
    return problems.flat();
  }

  async #act(person: Person): Promise<void> {
    const actions = Object.entries(ACTIONS).map(([name, action]) => ({ name, ...action }));
    for (;;) {
      const { name, act } = this.#random.pickByWeight(actions);
      try {
        if (!(await act({ people: this.people, network: this.#network }, person))) continue;
      } catch (error) {
        throw new Error(`${person.name}, ${name}`, { cause: error });
      }
      this.people.count(name);
      return;
    }
  }

  async #killSomebody(acting: Promise<unknown>): Promise<void> {
    const node = this.#random.pick(this.#nodes);
    const role = this.#random.pick<Role>(["validator", "participant"]);
    await Promise.race([node.calls(1 + this.#random.below(PEOPLE_OF_NODE)), acting]);
    this.kills.push(`the ${role} of ${node.name}`);
    await node.restart(role);
  }

  /** The problems that remain once validators have had time to finish. */
  async #agree(list: () => Promise<readonly string[]>): Promise<readonly string[]> {
    let problems: readonly string[] = [];
    const isRight = async () => {
      problems = await list().catch((error: unknown) => [inspect(error)]);
      return problems.length === 0;
    };
    await until(isRight, "everything agrees", SETTLE_MILLISECONDS).catch(() => undefined);
    return problems;
  }
}
