// Real kills in the middle of saves and restores, and a save under load: the network is in one whole state afterwards.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { LocalNetworkProcess } from "../support/local-network-process.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { type Buyer, buyUntilKilled, checkBuyer, compareHeads, openBuyers } from "./killed-network.ts";

const KILLS = 6;
/** The longest of them ends behind the work. */
const MOST_POLLS = 160;
/** The coin of a tap of five dollars, at half a cent a coin. */
const TAPPED = 1000;

async function balanceOf(network: LocalNetworkProcess): Promise<number> {
  return Number((await network.validator().getBalance()).effective_unlocked_qty);
}

test("a kill in the middle of a save or a restore leaves the state before or the state after", {
  timeout: 300_000,
}, async () => {
  const random = new Random(seed);
  const folder = join(temporaryFolder(), "net");
  let network = await LocalNetworkProcess.start(folder);
  await network.validator().tap({ body: { amount: "5" } });
  await network.settle();
  await network.development().saveSnapshot({ body: { name: "base" } });
  for (let kill = 0; kill < KILLS; kill++) {
    const before = (await balanceOf(network)) + TAPPED;
    await network.validator().tap({ body: { amount: "5" } });
    await network.settle();
    const name = `kill-${kill}`;
    const isSave = kill % 2 === 0;
    const work = isSave
      ? network.development().saveSnapshot({ body: { name } })
      : network.development().restoreSnapshot({ params: { name: "base" } });
    const ended = work.catch(() => undefined);
    let polls = random.below(MOST_POLLS);
    await until(() => polls-- <= 0, "the time has come");
    await network.kill();
    await ended;
    network = await LocalNetworkProcess.start(folder);
    await network.settle();
    const after = await balanceOf(network);
    expect(isSave ? [before] : [before, TAPPED], `kill ${kill}`).toContain(after);
    expect(await compareHeads(network)).toEqual([]);
    const { snapshots } = await network.development().listSnapshots();
    const found = snapshots.map((each) => each.name);
    expect(found).toContain("base");
    if (found.includes(name)) {
      await network.development().restoreSnapshot({ params: { name } });
      expect(await balanceOf(network)).toBe(before);
    }
    const names = readdirSync(folder).filter((each) => !each.startsWith("."));
    expect(names.filter((each) => /^(restoring|replaced-)/.test(each))).toEqual([]);
  }
  await network.stop();
});

test("a snapshot under load has all that was acknowledged before it, and adds up", {
  timeout: 300_000,
}, async () => {
  const network = await LocalNetworkProcess.start(join(temporaryFolder(), "net"));
  const buyers = openBuyers();
  const running = new AbortController();
  const work = buyers.map((buyer) => buyUntilKilled(network, buyer, "k", running.signal));
  await network.calls(200);
  const saved = buyers.map((buyer) => structuredClone(buyer));
  await network.development().saveSnapshot({ body: { name: "busy" } });
  const begun = buyers.map(({ acknowledgedTaps, unknownTaps }) => acknowledgedTaps + unknownTaps);
  await network.calls(100);
  running.abort();
  await Promise.all(work);
  await network.settle();
  await network.development().restoreSnapshot({ params: { name: "busy" } });
  await network.settle();
  expect(await compareHeads(network)).toEqual([]);
  for (const [place, buyer] of buyers.entries()) {
    const then = saved[place] as Buyer;
    const unknownTaps = (begun[place] ?? 0) - then.acknowledgedTaps;
    expect(then.paid.length).toBeGreaterThan(0);
    expect(await checkBuyer(network, { ...then, asked: buyer.asked, unknownTaps })).toEqual([]);
    expect(buyer.paid.length).toBeGreaterThan(then.paid.length);
  }
  await network.stop();
});
