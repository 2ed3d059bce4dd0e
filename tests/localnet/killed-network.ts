/**
 * Buys names on a network that is killed again and again, and says afterwards what was acknowledged and what is
 * there. What was not acknowledged may have happened or not, but not twice, and no coin appears or goes missing.
 */
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { NODE_NAMES, type NodeName } from "../../packages/localnet/src/ports.ts";
import { until } from "../../packages/node/testing/until.ts";
import { LocalNetworkProcess } from "../support/local-network-process.ts";
import { Random } from "../support/random.ts";

/** Ten dollars at half a cent a coin; a name costs one dollar. */
const TAPPED = decimal("2000");
const PRICE = decimal("200");

export interface Buyer {
  readonly node: NodeName;
  /** Acknowledged taps, and taps whose outcome is unknown. */
  acknowledgedTaps: number;
  unknownTaps: number;
  /** Names whose payment was acknowledged. */
  readonly paid: string[];
  readonly asked: string[];
}

export interface Findings {
  readonly kills: number;
  readonly acknowledgedNames: number;
  readonly problems: readonly string[];
}

export async function killNetwork(options: {
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
}): Promise<Findings> {
  const random = new Random(options.seed);
  const buyers = openBuyers();
  for (let kill = 0; kill < options.kills; kill++) {
    const network = await LocalNetworkProcess.start(options.folder);
    const running = new AbortController();
    const work = buyers.map((buyer) => buyUntilKilled(network, buyer, `k${kill}`, running.signal));
    await network.calls(1 + random.below(150));
    running.abort();
    await network.kill();
    await Promise.all(work);
  }
  const network = await LocalNetworkProcess.start(options.folder);
  try {
    await network.settle();
    const problems = [
      ...(await compareHeads(network)),
      ...(await Promise.all(buyers.map((buyer) => checkBuyer(network, buyer)))).flat(),
    ];
    const acknowledgedNames = buyers.reduce((sum, { paid }) => sum + paid.length, 0);
    return { kills: options.kills, acknowledgedNames, problems };
  } finally {
    await network.stop();
  }
}

/** One a node. */
export function openBuyers(): readonly Buyer[] {
  return NODE_NAMES.map((node) => ({ node, acknowledgedTaps: 0, unknownTaps: 0, paid: [], asked: [] }));
}

/** Taps and buys until the signal; failures before it are thrown. */
export async function buyUntilKilled(
  network: LocalNetworkProcess,
  buyer: Buyer,
  mark: string,
  killed: AbortSignal,
): Promise<void> {
  const client = network.validator(buyer.node);
  for (let i = 0; !killed.aborted; i++) {
    try {
      if (i % 5 === 0) {
        buyer.unknownTaps++;
        await client.tap({ body: { amount: "10" } });
        buyer.unknownTaps--;
        buyer.acknowledgedTaps++;
      }
      const chosen = `${mark}-${buyer.node}-n${i}`;
      const body = { name: chosen, url: "", description: "" };
      const { name, subscriptionRequestCid } = await client.createAnsEntry({ body });
      buyer.asked.push(name);
      await client.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
      buyer.paid.push(name);
    } catch (error) {
      if (!killed.aborted) throw error;
    }
  }
}

export async function compareHeads(network: LocalNetworkProcess): Promise<readonly string[]> {
  let heads = await network.heads();
  const isOne = async () => {
    heads = await network.heads();
    return new Set(heads.map(({ sequence, digest }) => `${sequence} ${digest}`)).size === 1;
  };
  return until(isOne, "the SVs agree").then(
    () => [],
    () => [`the SVs disagree: ${JSON.stringify(heads)}`],
  );
}

export async function checkBuyer(network: LocalNetworkProcess, buyer: Buyer): Promise<readonly string[]> {
  const client = network.validator(buyer.node);
  const problems: string[] = [];
  const { party_id } = await client.userStatus();
  for (const name of buyer.paid) {
    for (const number of [1, 2, 3, 4]) {
      const owner = await network.owner(name, number);
      if (owner !== party_id) problems.push(`${name} was paid for, but scan ${number} says ${owner}`);
    }
  }
  const { entries } = await client.listAnsEntries();
  const names = entries.map(({ name }) => name);
  if (new Set(names).size !== names.length) problems.push(`a name is there twice: ${names.join(", ")}`);
  const strange = names.filter((name) => !buyer.asked.includes(name) && !name.startsWith("k"));
  if (strange.length > 0) problems.push(`nobody asked for ${strange.join(", ")}`);
  const { effective_unlocked_qty, effective_locked_qty } = await client.getBalance();
  const coin = decimal(effective_unlocked_qty) + decimal(effective_locked_qty);
  const taps = (coin + PRICE * BigInt(names.length)) / TAPPED;
  const whole = taps * TAPPED === coin + PRICE * BigInt(names.length);
  const few = taps < BigInt(buyer.acknowledgedTaps);
  const many = taps > BigInt(buyer.acknowledgedTaps + buyer.unknownTaps);
  if (!whole || few || many) {
    problems.push(
      `coin does not add up: ${coin} and ${names.length} names after ${buyer.acknowledgedTaps} taps ` +
        `and ${buyer.unknownTaps} of which nothing is known`,
    );
  }
  return problems;
}
