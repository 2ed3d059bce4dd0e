/** An operator's network through a day: names are bought, renewed and expire while processes are killed, certificates renewed, the database lost. */
import { connect } from "node:tls";
import { expect, test, vi } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { buyName, type FoundName, findName } from "./buy-name.ts";
import { LIFETIME_SECONDS, OperatorNetwork, type OperatorNode } from "./operator-network.ts";

const MINUTE = 60_000;
const atEnd = atEndOfFile();
let network: OperatorNetwork;
/** Every name whose purchase was acknowledged, as a scan has told it last. */
const bought = new Map<string, FoundName>();
const CANCELLED = "a-name-for-a-while.unverified.cns";

beforeAllOrSkip(async (context) => {
  network = await OperatorNetwork.start(atEnd, context);
}, 5 * MINUTE);

test(
  "a name is bought, and both nodes find it by name and by party",
  async () => {
    for (const node of network.nodes) await buy(node, `first-of-${node.person}`);
    await expectBought();
  },
  MINUTE,
);

test(
  "a name is listed for its owner, found by prefix at the other node, renewed in time, and resolves after it was cancelled",
  async () => {
    const [first, second] = network.nodes as [OperatorNode, OperatorNode];
    const { owner, end } = await buy(first, CANCELLED);
    const wallet = network.validator(first);
    // The owner's own ledger may be a moment behind the scans.
    const listed = async () => (await wallet.listAnsEntries()).entries.map(({ name }) => name);
    await expect.poll(listed, { timeout: MINUTE }).toContain(CANCELLED);
    const query = { name_prefix: "a-name-", page_size: 10 };
    const found = await network.validator(second).scanProxyListAnsEntries({ query });
    expect(found.entries.map(({ name }) => name)).toEqual([CANCELLED]);
    expect(await findNameOf(owner)).toBe(CANCELLED);
    const renewedEnd = await untilRenewed(CANCELLED);
    expect(renewedEnd).toBe(end + LIFETIME_SECONDS * 1000);
    const ends = async () => (await wallet.listAnsEntries()).entries.map(({ expiresAt }) => expiresAt);
    await expect.poll(ends, { timeout: MINUTE }).toContain(String(renewedEnd));
    await cancel(first, CANCELLED);
    await expectBought();
  },
  4 * MINUTE,
);

test("calls to SVs went through the proxy", ({ skip }) => {
  if (network.machines.kind === "loopback") skip("calls to loopback addresses need no proxy, as in a JVM");
  expect(network.proxy.stats.connectRequestCount).toBeGreaterThan(0);
});

test("every role answers probes on 5003 and scrapers on 10013", async () => {
  for (const { machine, healthUrl } of network.processes()) {
    for (const probe of ["livez", "readyz"])
      expect((await network.fetch(`${healthUrl}/${probe}`, {})).status).toBe(200);
    const scraped = await network.fetch(`http://${machine.address}:10013/metrics`, {});
    const text = await scraped.text();
    expect(text).toContain("process_start_time_seconds");
    expect(text).toContain('callsign_certificate_end_seconds{port="api"}');
    expect(text).toMatch(/^daml_health_status\{.*\} 1$/m);
  }
});

test(
  "each process is killed and started again, and nothing that was acknowledged is lost",
  async () => {
    const [first, second] = network.nodes as [OperatorNode, OperatorNode];
    for (const [i, killed] of network.processes().entries()) {
      const buying = buy(first, `during-kill-${i}`).catch(() => undefined);
      await killed.stop("SIGKILL");
      killed.start();
      await buying;
      await network.ready();
      await buy(second, `after-kill-${i}`);
    }
    await expectBought();
  },
  5 * MINUTE,
);

test(
  "a renewed certificate is shown without a restart",
  async () => {
    const [{ participant }] = network.nodes as [OperatorNode, OperatorNode];
    const before = await shownCertificate(participant.machine.address, 7575);
    await network.renewCertificate(participant.machine);
    const isRenewed = async () => (await shownCertificate(participant.machine.address, 7575)) !== before;
    await until(isRenewed, "the participant shows the new certificate");
    await buy(network.nodes[0] as OperatorNode, "after-renewal");
  },
  MINUTE,
);

test(
  "the database is lost for ten seconds: nodes say so, and go on by themselves",
  async () => {
    const [first, second] = network.nodes as [OperatorNode, OperatorNode];
    await network.postgres.stop("SIGQUIT");
    const end = Date.now() + 10_000;
    const isTold = async ({ participant }: OperatorNode) => {
      const answer = await network.fetch(`http://${participant.machine.address}:5003/readyz`, {});
      return answer.status === 503 && (answer.headers.get("x-callsign-missing") ?? "") !== "";
    };
    await until(() => isTold(first), "the participant is not ready");
    await expect(buy(second, "without-a-database")).rejects.toThrow();
    await until(() => Date.now() >= end, "the outage has lasted ten seconds");
    await network.postgres.start();
    await network.ready();
    for (const node of network.nodes) await buy(node, `after-outage-of-${node.person}`);
    await expectBought();
  },
  3 * MINUTE,
);

test(
  "a cancelled name expires: it is gone by name, by party and from its owner's list, and the other node buys it",
  async () => {
    const [first, second] = network.nodes as [OperatorNode, OperatorNode];
    // Both validators renew what was bought after all of the failures.
    for (const { person } of network.nodes) await untilRenewed(`after-outage-of-${person}.unverified.cns`);
    const { owner, end } = boughtOf(CANCELLED);
    const isGone = async () => (await findName(network, first, CANCELLED)) === null;
    await vi.waitUntil(isGone, { interval: 100, timeout: 2 * MINUTE });
    expect(Date.now()).toBeGreaterThan(end);
    expect(await findNameOf(owner)).toBe(`after-outage-of-${first.person}.unverified.cns`);
    const wallet = network.validator(first);
    const listed = async () => (await wallet.listAnsEntries()).entries.map(({ name }) => name);
    await expect.poll(listed, { timeout: MINUTE }).not.toContain(CANCELLED);
    const again = await buy(second, CANCELLED);
    expect(again.owner).toBe(boughtOf(`after-outage-of-${second.person}.unverified.cns`).owner);
    await expectBought();
  },
  5 * MINUTE,
);

test(
  "a process that is told to stop ends with 0",
  async () => {
    const [{ validator, participant }] = network.nodes as [OperatorNode, OperatorNode];
    expect(await validator.stop("SIGTERM")).toBe(0);
    expect(await participant.stop("SIGTERM")).toBe(0);
  },
  MINUTE,
);

test("no process has printed a secret", () => {
  const output = network
    .processes()
    .map((each) => each.output)
    .join("");
  expect(output).toContain("callsign validator listens");
  for (const secret of [
    "supersafe",
    "backend's secret",
    "worker's secret",
    "onboarding secret",
    "PRIVATE KEY",
  ])
    expect(output).not.toContain(secret);
});

async function buy(node: OperatorNode, chosen: string): Promise<FoundName> {
  const live = await buyName(network, node, chosen);
  bought.set(live.name, live);
  return live;
}

/** The first of a party's names, by one scan. */
async function findNameOf(party: string): Promise<string> {
  return (await network.scan().lookupAnsEntryByParty({ params: { party } })).entry.name;
}

function boughtOf(name: string): FoundName {
  const known = bought.get(name);
  if (known === undefined) throw new Error(`${name} was not bought`);
  return known;
}

/** Waits until a name has got another lifetime, and resolves with its new end. */
async function untilRenewed(name: string): Promise<number> {
  const { end: before } = boughtOf(name);
  const [node] = network.nodes as [OperatorNode];
  const findEnd = async () => {
    const { end } = (await findName(network, node, name)) ?? { end: Number.NaN };
    if (Number.isNaN(end)) throw new Error(`${name} has expired: nobody renewed it`);
    return end > before && end;
  };
  return await vi.waitUntil(findEnd, { interval: 100, timeout: 2 * MINUTE });
}

/** Ends the subscription of a name that is not being paid for at the moment. */
async function cancel(node: OperatorNode, name: string): Promise<void> {
  const wallet = network.validator(node);
  const findState = async () => {
    const { subscriptions } = await wallet.listSubscriptions();
    return subscriptions.find(({ subscription }) => JSON.stringify(subscription.payload).includes(name))
      ?.state;
  };
  const state = await findState();
  if (state === undefined || !("idle" in state))
    throw new Error("there is no subscription without a payment");
  await wallet.cancelSubscriptionRequest({ params: { contract_id: state.idle.contract_id } });
  expect(await findState()).toBeUndefined();
}

/** Everybody finds every name with its owner, at least until the end that was told before. */
async function expectBought(): Promise<void> {
  expect(bought.size).toBeGreaterThan(0);
  for (const [name, { owner, end }] of bought) {
    for (const node of network.nodes) {
      const found = await findName(network, node, name);
      // A machine that is slow enough lets a name expire while its node is down.
      if (found === null && Date.now() > end) continue;
      expect({ name, owner: found?.owner }).toEqual({ name, owner });
      expect(found?.end, name).toBeGreaterThanOrEqual(end);
      if (found !== null) bought.set(name, found);
    }
  }
}

async function shownCertificate(host: string, port: number): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}
