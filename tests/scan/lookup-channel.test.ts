// Scan's answers on a lookup channel are those of requests, and a scan that misbehaves gives none there.

import {
  type ChannelAnswer,
  RECORD_TIME_HEADER,
  type ScanBehaviour,
  scanApi,
  WAIT_FOR_HEADER,
} from "@callsign/api";
import { formatTime } from "@callsign/ledger";
import { LookupChannel, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { until } from "../../packages/node/testing/until.ts";
import { ServedWorld } from "./served-world.ts";

const ALICE = "alice.unverified.cns";
const byName = (name: string) => `/v0/ans-entries/by-name/${name}`;

async function start() {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  world.buy(alice, { name: ALICE });
  await world.scan();
  const client = systemHost.http.openClient();
  const baseUrl = world.url + scanApi.basePath;
  const channel = new LookupChannel({ baseUrl, client, host: systemHost, timeoutMilliseconds: 60_000 });
  onTestFinished(() => {
    channel.close();
    client.close();
  });
  const ask = (target: string, headers = {}) =>
    new Promise<ChannelAnswer | "late" | "no channel" | null>((resolve) => {
      if (!channel.ask({ target, headers }, resolve)) resolve("no channel");
    });
  await until(async () => (await ask(byName(ALICE))) !== "no channel", "the channel is open");
  return { world, alice, ask };
}

test("hits, misses and lists are answered as requests are, with their record time", async () => {
  const { world, alice, ask } = await start();
  const targets = [
    byName(ALICE),
    byName("nobody.unverified.cns"),
    `/v0/ans-entries/by-party/${encodeURIComponent(alice.party)}`,
    "/v0/ans-entries?name_prefix=a&page_size=10",
  ];
  for (const target of targets) {
    const { status, headers, text } = await world.get(scanApi.basePath + target);
    const recordTime = headers.get(RECORD_TIME_HEADER);
    expect(await ask(target)).toEqual({ status, headers: { [RECORD_TIME_HEADER]: recordTime }, body: text });
  }
  for (const target of [byName("%E9"), "/v0/ans-entries?page_size=0", "/v0/dso", "/elsewhere"])
    expect([target, await ask(target)]).toEqual([target, null]);
});

test("a record time that scan has reached is no reason to wait, and a later one is left to a request", async () => {
  const { world, ask } = await start();
  const at = (time: string) => ask(byName(ALICE), { [WAIT_FOR_HEADER]: time });
  expect(await at(formatTime(world.node.index.now))).toMatchObject({ status: 200 });
  expect(await at(formatTime(addDuration(world.node.index.now, HOUR)))).toBeNull();
  expect(await at("tomorrow")).toBeNull();
});

test.each(["lie", "lag", "error", "hang", "stop"] as const satisfies readonly ScanBehaviour[])(
  "a scan that is to %s leaves every question to a request",
  async (behaviour) => {
    const { world, ask } = await start();
    world.misbehaviour.behave(behaviour);
    expect(await ask(byName(ALICE))).toBeNull();
    world.misbehaviour.behave("honest");
    expect(await ask(byName(ALICE))).toMatchObject({ status: 200 });
  },
);
