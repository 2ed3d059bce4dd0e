/** An operator's network through a day: names are bought while processes are killed, certificates renewed, the database lost. */
import { connect } from "node:tls";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { HttpError } from "../../packages/api/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { OperatorNetwork, type OperatorNode } from "./operator-network.ts";

const MINUTE = 60_000;
const atEnd = atEndOfFile();
let network: OperatorNetwork;
/** Every name whose purchase was acknowledged, and its owner. */
const bought = new Map<string, string>();

class Skipped extends Error {}
let missing: string | null = null;

beforeAll(async () => {
  const skip = (reason: unknown): never => {
    throw new Skipped(String(reason));
  };
  try {
    network = await OperatorNetwork.start(atEnd, { skip });
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    missing = error.message;
  }
}, 5 * MINUTE);

beforeEach(({ skip }) => {
  if (missing !== null) skip(missing);
});

test(
  "a name is bought, and both nodes find it by name and by party",
  async () => {
    for (const node of network.nodes) await buy(node, `first-of-${node.person}`);
    await expectBought();
  },
  MINUTE,
);

test(
  "a name is listed for its owner, found by prefix at the other node, and resolves after it was cancelled",
  async () => {
    const [first, second] = network.nodes as [OperatorNode, OperatorNode];
    const name = await buy(first, "to-be-cancelled");
    const owner = network.validator(first);
    // The owner's own ledger may be a moment behind the scans.
    const listed = async () => (await owner.listAnsEntries()).entries.map((entry) => entry.name);
    await expect.poll(listed, { timeout: MINUTE }).toContain(name);
    const query = { name_prefix: "to-be-", page_size: 10 };
    const found = await network.validator(second).scanProxyListAnsEntries({ query });
    expect(found.entries.map((entry) => entry.name)).toEqual([name]);
    const { subscriptions } = await owner.listSubscriptions();
    const before = subscriptions.length;
    for (const { state } of subscriptions) {
      if (!("idle" in state)) throw new Error("a payment is on its way");
      await owner.cancelSubscriptionRequest({ params: { contract_id: state.idle.contract_id } });
    }
    expect([before > 0, (await owner.listSubscriptions()).subscriptions]).toEqual([true, []]);
    await expectBought();
  },
  MINUTE,
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
    expect(await scraped.text()).toContain("process_start_time_seconds");
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

async function buy(node: OperatorNode, chosen: string): Promise<string> {
  const validator = network.validator(node);
  await validator.tap({ body: { amount: "10.0" } });
  const name = `${chosen}.unverified.cns`;
  const body = { name: chosen, url: "", description: "" };
  const { subscriptionRequestCid } = await validator.createAnsEntry({ body });
  await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  const owner = await findOwner(node, name);
  bought.set(name, owner);
  return name;
}

/** Waits until the name is live. */
async function findOwner(node: OperatorNode, name: string): Promise<string> {
  let owner = "";
  const isLive = async () => {
    try {
      const { entry } = await network.validator(node).scanProxyLookupAnsEntryByName({ params: { name } });
      owner = entry.user;
      return true;
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return false;
      throw error;
    }
  };
  await vi.waitUntil(isLive, { interval: 50, timeout: MINUTE });
  return owner;
}

async function expectBought(): Promise<void> {
  expect(bought.size).toBeGreaterThan(0);
  for (const [name, owner] of bought) {
    for (const node of network.nodes) {
      const { entry } = await network.validator(node).scanProxyLookupAnsEntryByName({ params: { name } });
      expect([name, entry.user]).toEqual([name, owner]);
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
