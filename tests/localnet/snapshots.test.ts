// Snapshots of a whole network: exact, on the same ports, one at a time.

import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { formatWebsocketProtocols } from "../../packages/api/src/index.ts";
import { parseLogEntry } from "../../packages/ledger/src/index.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { formatTime, time } from "../../packages/ledger/src/values/time.ts";
import { startLocalnet } from "../../packages/localnet/src/index.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/index.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { validatorClient } from "../support/network-clients.ts";
import { chosenStore } from "../support/postgres.ts";
import { observe } from "./observed-network.ts";

const TIMEOUT = { timeout: 180_000, skip: chosenStore === "PostgreSQL" };
/** It stands still, so that nothing comes due by itself. */
const START = time("2030-01-01T00:00:00Z");

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start({ clock: () => START });
  await world.tap("app-user", "100");
  await world.buy("app-user", "early");
  await world.makeUser("carol");
  await world.forward(3);
}, 120_000);
afterAll(() => world?.close());

const restore = (name: string) => world.development.restoreSnapshot({ params: { name } });

test("a restored network gives every answer that it gave when it was saved, twice", TIMEOUT, async () => {
  const before = await observe(world.net);
  const saved = await world.net.saveSnapshot("exact");
  expect(saved).toMatchObject({ name: "exact", acronym: "cns", time: formatTime(world.net.now()) });
  for (const round of [1, 2]) {
    await world.tap("app-provider", "50");
    await world.buy("app-provider", `late-${round}`);
    await world.makeUser(`dave-${round}`);
    await world.forward(1);
    expect(await observe(world.net)).not.toEqual(before);
    expect(await restore("exact")).toEqual(saved);
    expect(await observe(world.net)).toEqual(before);
    expect(await world.digestsAgree()).toBe(true);
  }
});

test("the same entry makes the same contracts after a restore", TIMEOUT, async () => {
  const updatesBehind = async (sequence: number) => {
    const [sv] = world.net.svs;
    await sv?.replica.reach(sequence + 1, AbortSignal.timeout(60_000));
    const body = { page_size: 1000 };
    const { transactions } = await world.scan().getUpdateHistory({ body });
    return transactions.slice(0, updates + 1).at(-1);
  };
  const { entries } = await world.net.saveSnapshot("entries");
  const updates = (await world.scan().getUpdateHistory({ body: { page_size: 1000 } })).transactions.length;
  await world.tap("app-user", "3");
  const first = await updatesBehind(entries);
  expect(JSON.stringify(first)).toContain("contract_id");
  await world.net.saveSnapshot("behind");
  const log = new SqliteLog(join(world.folder, "net/snapshots/behind/data/log.db"), systemHost);
  const entry = parseLogEntry(log.readBehind(entries).entries[0] ?? "");
  await log.close();
  if (!entry.ok) throw new Error(entry.error);
  const { content, signatures } = entry.value;
  for (const _ of [1, 2]) {
    await restore("entries");
    await world.net.svs[0]?.submit({ content, signatures });
    expect(await updatesBehind(entries)).toEqual(first);
  }
});

test("a restore ends streams with a goodbye, and lets calls wait for their answers", TIMEOUT, async () => {
  const { ledgerUrl, gatewayUrl, token } = world.net.nodes["app-user"];
  const balance = await world.validator().getBalance();
  await world.net.saveSnapshot("streams");
  await world.tap("app-user", "7");
  const party = await world.party("app-user");
  const eventFormat = { filtersByParty: { [party]: { cumulative: [] } } };
  const includeTransactions = { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" };
  const ends: Promise<number>[] = [];
  for (const url of [ledgerUrl, `${gatewayUrl}/api/ledger`]) {
    const socket = new WebSocket(`${url.replace("http", "ws")}/v2/updates`, formatWebsocketProtocols(token));
    onTestFinished(() => socket.close());
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const heard = new Promise((resolve) => socket.addEventListener("message", resolve));
    socket.send(JSON.stringify({ beginExclusive: 0, updateFormat: { includeTransactions } }));
    await heard;
    ends.push(new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code))));
  }
  const changes = await fetch(`${world.net.svs[0]?.scanUrl}/api/scan/ext/v1/names/changes`, {
    headers: { accept: "text/event-stream" },
  });
  const heard = changes.text();
  let isDone = false;
  const restoring = restore("streams").finally(() => {
    isDone = true;
  });
  const answers: PromiseSettledResult<unknown>[] = [];
  while (!isDone) answers.push(...(await Promise.allSettled([world.validator().getBalance()])));
  await restoring;
  // 1001: the server is going away.
  expect(await Promise.all(ends)).toEqual([1001, 1001]);
  expect(await heard).toMatch(/^(|(.*\n)+\n)$/);
  expect(await world.validator().getBalance()).toEqual(balance);
  expect(gatewayUrl).toBe(world.net.nodes["app-user"].gatewayUrl);
  expect(answers.at(-1)).toEqual({ status: "fulfilled", value: balance });
});

test("snapshots are refused with the reason and the remedy", TIMEOUT, async () => {
  const { development } = world;
  const refused = (status: number, error: RegExp) => ({
    status,
    body: { error: expect.stringMatching(error) },
  });
  await development.saveSnapshot({ body: { name: "refusals" } });
  await expect(development.saveSnapshot({ body: { name: "refusals" } })).rejects.toMatchObject(
    refused(409, /There is a snapshot refusals already: delete it first/),
  );
  await expect(restore("nowhere")).rejects.toMatchObject(
    refused(404, /There is no snapshot nowhere\. There are .*refusals/),
  );
  await expect(development.deleteSnapshot({ params: { name: "nowhere" } })).rejects.toMatchObject(
    refused(404, /There is no snapshot nowhere/),
  );
  for (const name of ["", "..", "a/b", ".saving", "Upper", "-a", "ä", "x".repeat(61), "a b", "a\0"]) {
    await expect(world.net.saveSnapshot(name), name).rejects.toThrow(
      "is no name: a snapshot's name has 1 to 60",
    );
    await expect(world.net.restoreSnapshot(name), name).rejects.toThrow("is no name");
    await expect(world.net.deleteSnapshot(name), name).rejects.toThrow("is no name");
  }
  const moving = world.net.moveClock(DAY);
  await expect(restore("refusals")).rejects.toMatchObject(
    refused(409, /The clock is on its way to .*: wait for it/),
  );
  await moving;
  await development.deleteSnapshot({ params: { name: "refusals" } });
  expect((await development.listSnapshots()).snapshots.map(({ name }) => name)).not.toContain("refusals");
});

test("one snapshot is saved or restored at a time, and a second call says so", TIMEOUT, async () => {
  const saving = world.net.saveSnapshot("alone");
  await expect(restore("alone")).rejects.toMatchObject({
    ...{
      status: 409,
      body: { error: "Now the snapshot alone is being saved: try again when that is done." },
    },
  });
  await saving;
  const restoring = world.net.restoreSnapshot("alone");
  await expect(world.net.saveSnapshot("other")).rejects.toThrow("Now the snapshot alone is being restored");
  await expect(world.net.deleteSnapshot("alone")).rejects.toThrow("Now the snapshot alone is being restored");
  await restoring;
  expect(await world.digestsAgree()).toBe(true);
});

test(
  "a snapshot of another network, with other ports and another ending of names, is restored",
  TIMEOUT,
  async () => {
    const dataFolder = join(temporaryFolder(), "net");
    const first = await startLocalnet({ dataFolder, acronym: "old" });
    const { validatorUrl, token } = first.nodes["app-user"];
    await validatorClient(validatorUrl, token).tap({ body: { amount: "5" } });
    await first.settle();
    await first.saveSnapshot("of-old");
    await first.close();
    const second = await startLocalnet({ dataFolder, acronym: "new", fresh: true });
    onTestFinished(() => second.close());
    expect(second.listSnapshots()).toMatchObject([{ name: "of-old", acronym: "old" }]);
    expect(second.acronym).toBe("new");
    const url = second.nodes["app-user"].validatorUrl;
    expect(url).not.toBe(validatorUrl);
    await second.restoreSnapshot("of-old");
    expect(second.acronym).toBe("old");
    expect(second.nodes["app-user"].validatorUrl).toBe(url);
    const { effective_unlocked_qty } = await validatorClient(url, token).getBalance();
    expect(effective_unlocked_qty).toBe("1000.0000000000");
    await second.settle();
    const names = await fetch(`${second.svs[3]?.scanUrl}/api/scan/v0/ans-entries?page_size=10`);
    expect(await names.text()).toContain("sv-1.sv.old");
  },
);
