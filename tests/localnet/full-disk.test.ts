// A full disk: writes are refused at once, reads go on, readiness says so, and everything goes on when there is room.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { NetworkDescription } from "../../packages/localnet/src/summary.ts";
import { until } from "../../packages/node/testing/until.ts";
import { LocalNetworkProcess, startQuietly } from "../support/local-network-process.ts";
import { SmallDisk } from "../support/small-disk.ts";

const TIMEOUT = { timeout: 180_000 };

function readinessOf({ nodes, svs }: NetworkDescription): readonly string[] {
  return [
    ...nodes.flatMap(({ ledgerUrl, validatorUrl }) => [ledgerUrl, `${validatorUrl}/api/validator`]),
    ...svs.flatMap(({ scanUrl, sequencerUrl, appUrl }) => [
      `${scanUrl}/api/scan`,
      sequencerUrl,
      `${appUrl}/api/sv`,
    ]),
  ].map((url) => `${url}/readyz`);
}

async function statusesOf(urls: readonly string[]): Promise<readonly number[]> {
  return Promise.all(urls.map(async (url) => (await fetch(url)).status));
}

test(
  "a network on a full disk refuses writes with 503, answers reads, is not ready, and goes on when there is room",
  TIMEOUT,
  async (context) => {
    const disk = SmallDisk.mount(192, context);
    const network = await LocalNetworkProcess.start(join(disk.folder, "data"), "--log", "debug");
    const wallet = network.validator();
    await wallet.tap({ body: { amount: "5" } });
    // The tracking id of an offer is on disk before the offer is sent, and with it all that the wallet had before. The disk may be
    // full before the offer itself is.
    await wallet.createTransferOffer({
      body: {
        receiver_party_id: (await wallet.userStatus()).party_id,
        ...{ amount: "1.0", description: "", tracking_id: "an offer" },
        expires_at: Date.now() * 1000 + 3_600_000_000,
      },
    });
    await network.settle();
    const before = await wallet.getBalance();
    const snapshots = network.development();
    await snapshots.saveSnapshot({ body: { name: "roomy" } });
    const urls = readinessOf(network.addresses);
    disk.fill();
    const noRoom = {
      status: 507,
      body: { error: expect.stringMatching(/has 0 MB free, .* [1-9]\d MB are missing/) },
    };
    await expect(snapshots.saveSnapshot({ body: { name: "tight" } })).rejects.toMatchObject(noRoom);
    await expect(snapshots.restoreSnapshot({ params: { name: "roomy" } })).rejects.toMatchObject(noRoom);
    for (let i = 0; i < 3; i++) {
      await expect(wallet.tap({ body: { amount: "5" } })).rejects.toMatchObject({ status: 503 });
    }
    expect(await wallet.getBalance()).toEqual(before);
    // Files that have grown before can be written within their size: only the log must grow.
    const sequencers = network.addresses.svs.map(({ sequencerUrl }) => `${sequencerUrl}/readyz`);
    const isNotReady = async () => (await statusesOf(sequencers)).every((status) => status === 503);
    await until(isNotReady, "no sequencer is ready");
    disk.empty();
    await until(
      async () => (await statusesOf(urls)).every((status) => status === 200),
      "every part is ready",
    );
    await wallet.tap({ body: { amount: "5" } });
    await network.settle();
    const { effective_unlocked_qty: after } = await wallet.getBalance();
    // At a price of 0.005 dollars a coin.
    expect(Number(after)).toBe(Number(before.effective_unlocked_qty) + 1000);
    const heads = await network.heads();
    expect(new Set(heads.map(({ digest }) => digest)).size).toBe(1);
    await snapshots.restoreSnapshot({ params: { name: "roomy" } });
    expect(await wallet.getBalance()).toEqual(before);
    expect((await network.stop()).code).toBe(0);
  },
);

test("a start on a full disk ends with a sentence", TIMEOUT, async (context) => {
  const disk = SmallDisk.mount(1, context);
  const { code, errors } = await startQuietly(join(disk.folder, "data")).ended;
  expect(code).toBe(1);
  expect(errors).toMatch(/^The local network cannot start: .*(cannot be written|no space left).*\n$/);
});
