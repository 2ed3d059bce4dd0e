/** Sequencers of protocol version 4: signed stamps, ticks of other SVs, and clocks that are wrong. */
import { systemHost } from "@callsign/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, time } from "../../packages/ledger/src/values/time.ts";
import { signActivation } from "../../packages/sv/src/founding/sign-activation.ts";
import { ClockNotBacked } from "../../packages/synchronizer/src/sequencer/stamp-clock.ts";
import { Ticker } from "../../packages/synchronizer/src/sequencer/ticker.ts";
import { BackedNetwork, type BackedSv, FOUNDED } from "./backed-network.ts";
import { readLog } from "./log-entries.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** "signed", "plain" or "none", entry by entry. */
async function formsOf({ log }: BackedNetwork): Promise<readonly string[]> {
  return (await readLog(log)).map(({ stampedAt, stampedBy }) => {
    if (stampedAt === null) return "none";
    return stampedBy === undefined ? "plain" : "signed";
  });
}

describe("the stamps of a sequencer", () => {
  test("are signed from the founding on, one for a batch", async () => {
    const network = await BackedNetwork.start(1);
    const [sv] = network.svs as readonly [BackedSv];
    network.pass(SECOND);
    // The first is alone in its batch; the others come while it is written.
    await Promise.all(["a", "b", "c"].map((hint) => sv.host(hint)));
    expect(await formsOf(network)).toEqual(["plain", "signed", "signed", "none"]);
    expect(sv.recordTime).toBe(addDuration(FOUNDED, SECOND + 2n));
  });

  test("are signed from the activation on, and not before", async () => {
    const network = await BackedNetwork.start(4, { protocolVersion: 3n });
    const [sv] = network.svs as readonly [BackedSv];
    await sv.host("a");
    const { state } = sv.node.replica;
    if (state.network === null) throw new Error("the network is not founded");
    const given = { network: state.network, version: 4n, maxRecordTime: addDuration(network.time, HOUR) };
    const signers = network.svs.map(({ identity }) => identity);
    await network.reach(await sv.sequencer.submit(signActivation(signers, given, systemHost)));
    network.pass(SECOND);
    await sv.host("b");
    expect(await formsOf(network)).toEqual(["plain", "plain", "plain", "signed"]);
    expect(sv.recordTime).toBe(addDuration(FOUNDED, SECOND));
  });

  test("are signed with the key of the moment", async () => {
    const network = await BackedNetwork.start(1);
    const [sv] = network.svs as readonly [BackedSv];
    await sv.host("a");
    const [, entry] = await readLog(network.log);
    expect(entry?.stampedBy?.publicKey).toBe(sv.identity.signingKey.publicKey);
  });
});

describe("a sequencer whose network is quiet", () => {
  test("asks for ticks when the backed time is older than 30 seconds, and not before", async () => {
    const network = await BackedNetwork.start(4);
    const [sv] = network.svs as readonly [BackedSv];
    network.pass(30n * SECOND);
    await sv.host("a");
    expect(network.asked).toBe(0);
    network.pass(1n);
    await sv.host("b");
    expect(network.asked).toBe(1);
    await sv.host("c");
    expect(network.asked).toBe(1);
  });

  test("keeps the time of the network right while it alone submits for an hour", async () => {
    const network = await BackedNetwork.start(4);
    const [sv] = network.svs as readonly [BackedSv];
    for (let minute = 1; minute <= 60; minute++) {
      network.pass(MINUTE);
      await sv.host(`party-${minute}`);
      expect(sv.recordTime).toBeGreaterThanOrEqual(network.time);
      expect(sv.recordTime).toBeLessThan(addDuration(network.time, SECOND));
    }
  });

  test.each([3, 4])("of %d SVs goes on with one other", async (count) => {
    const network = await BackedNetwork.start(count);
    const [sv, , ...down] = network.svs as readonly [BackedSv, BackedSv, ...BackedSv[]];
    for (const each of down) each.isDown = true;
    network.pass(HOUR);
    // It does not wait for the silent ones.
    await sv.host("a");
    expect(sv.recordTime).toBeGreaterThanOrEqual(network.time);
  });

  test("does not wait for another that waits for it", async () => {
    const network = await BackedNetwork.start(2);
    network.pass(DAY);
    await Promise.all(network.svs.map((sv) => sv.host("a")));
    for (const sv of network.svs) expect(sv.recordTime).toBeGreaterThanOrEqual(network.time);
  });

  test("finds the right time after its machine slept", async () => {
    const network = await BackedNetwork.start(4);
    const [slept, ...others] = network.svs as readonly [BackedSv, BackedSv, BackedSv];
    slept.isDown = true;
    network.pass(8n * HOUR);
    for (const sv of others.slice(0, 2)) await sv.host("a");
    slept.isDown = false;
    await slept.host("b");
    expect(slept.recordTime).toBeGreaterThanOrEqual(network.time);
  });
});

/** The reason why it is refused. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClockNotBacked);
  return (error as Error).message;
}

describe("a clock that is wrong", () => {
  test.each([
    ["a year ahead", 365n * DAY, "ahead of"],
    ["in the year 9999", time("9999-01-01T00:00:00Z") - FOUNDED, "ahead of"],
    ["an hour behind", -HOUR, "behind"],
    ["a second too far ahead", 61n * SECOND, "ahead of"],
  ])("by being %s takes no entries, and says by how much", async (_what, skew, side) => {
    const network = await BackedNetwork.start(4);
    const [wrong, right] = network.svs as readonly [BackedSv, BackedSv];
    expect(wrong.stamps.trouble()).toBeNull();
    wrong.skew = skew;
    const words = `${(skew < 0n ? -skew : skew) / SECOND} seconds ${side}`;
    expect(await refusalOf(wrong.host("a"))).toContain(words);
    expect(wrong.stamps.trouble()).toContain(words);
    // The others go on, and their time is right within the tolerance.
    network.pass(3n * SECOND);
    await right.host("a");
    expect(right.recordTime).toBeLessThanOrEqual(addDuration(network.time, MINUTE));
    expect(right.stamps.trouble()).toBeNull();
  });

  test("still ticks", async () => {
    const network = await BackedNetwork.start(4);
    const [wrong] = network.svs as readonly [BackedSv];
    wrong.skew = 365n * DAY;
    await refusalOf(wrong.host("a"));
    await wrong.tick();
    expect(wrong.recordTime).toBeLessThanOrEqual(addDuration(network.time, MINUTE + SECOND));
  });

  test("within the tolerance takes entries, and asks for ticks once in five seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const network = await BackedNetwork.start(4);
    const [fast] = network.svs as readonly [BackedSv];
    fast.skew = 45n * SECOND;
    for (const hint of ["a", "b", "c"]) await fast.host(hint);
    expect(network.asked).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    await fast.host("d");
    expect(network.asked).toBe(2);
  });

  test("that is set right is taken again by itself", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const network = await BackedNetwork.start(4);
    const [wrong] = network.svs as readonly [BackedSv];
    wrong.skew = HOUR;
    await refusalOf(wrong.host("a"));
    await refusalOf(wrong.host("b"));
    expect(network.asked).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(network.asked).toBe(2);
    await refusalOf(wrong.host("c"));
    wrong.skew = 0n;
    // The network was quiet meanwhile: only fresh ticks show that the clock is right.
    network.pass(HOUR);
    expect(wrong.stamps.trouble()).toContain("3600 seconds ahead of");
    await vi.advanceTimersByTimeAsync(5000);
    await vi.waitFor(() => expect(wrong.stamps.trouble()).toBeNull(), { timeout: 60_000 });
    await wrong.host("d");
    expect(wrong.recordTime).toBeGreaterThanOrEqual(network.time);
  });

  test("cannot be told from others that are down: two SVs need each other", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const network = await BackedNetwork.start(2);
    const [left, down] = network.svs as readonly [BackedSv, BackedSv];
    down.isDown = true;
    network.pass(HOUR);
    const refused = refusalOf(left.host("a"));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await refused).toContain("start SVs that are down");
    down.isDown = false;
    await vi.advanceTimersByTimeAsync(5000);
    await vi.waitFor(() => expect(left.stamps.trouble()).toBeNull(), { timeout: 60_000 });
    await left.host("b");
    expect(left.recordTime).toBeGreaterThanOrEqual(network.time);
  });
});

test("tickers tick in rank order until the record time has reached a deadline, with two of four SVs down", async () => {
  const network = await BackedNetwork.start(4);
  const due = addDuration(FOUNDED, HOUR);
  network.time = addDuration(due, 1n);
  const tickers = network.svs.slice(2).map(
    (sv, rank) =>
      new Ticker({
        ...{ replica: sv.node.replica, rank: () => rank, host: systemHost, now: () => sv.clock },
        nextDue: () => due,
        tick: () => sv.tick(),
        onError: (error) => {
          throw error;
        },
      }),
  );
  const [first] = network.svs as readonly [BackedSv];
  // The first tick alone moves the time by a minute at most.
  await first.node.replica.reach(3, AbortSignal.timeout(60_000));
  expect(first.recordTime).toBeGreaterThanOrEqual(due);
  await Promise.all(tickers.map((ticker) => ticker.close()));
});
