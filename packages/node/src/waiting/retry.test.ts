import { expect, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { Backoff, backoffMilliseconds } from "./backoff.ts";
import { repeat, retry } from "./retry.ts";

const limits = { firstMilliseconds: 100, longestMilliseconds: 500 };

test("a backoff doubles up to its longest pause, and begins again after a reset", () => {
  const backoff = new Backoff(limits);
  expect([1, 2, 3, 4, 5].map(() => backoff.next())).toEqual([100, 200, 400, 500, 500]);
  backoff.reset();
  expect(backoff.next()).toBe(100);
});

test("jitter takes at most half of a pause", () => {
  const { randomness } = new VirtualHost();
  for (let i = 0; i < 100; i++) {
    const pause = backoffMilliseconds(1, { ...limits, jitter: randomness });
    expect(pause).toBeGreaterThanOrEqual(100);
    expect(pause).toBeLessThan(200);
  }
});

test("retry repeats failed work with growing pauses until it succeeds", async () => {
  const host = new VirtualHost();
  const { signal } = new AbortController();
  const at: number[] = [];
  const failures: unknown[] = [];
  const work = async () => {
    at.push(host.clock.elapsedMilliseconds());
    if (at.length < 4) throw new Error(`failure ${at.length}`);
    return "done";
  };
  const onFailure = (error: unknown) => void failures.push((error as Error).message);
  const result = retry(work, { backoff: new Backoff(limits), timers: host.timers, signal, onFailure });
  await host.advance(10_000);
  expect(await result).toBe("done");
  expect(at).toEqual([0, 100, 300, 700]);
  expect(failures).toEqual(["failure 1", "failure 2", "failure 3"]);
});

test("retry ends with the signal's reason, or with the error that onFailure throws", async () => {
  const host = new VirtualHost();
  const stop = new AbortController();
  const options = { backoff: new Backoff(limits), timers: host.timers, signal: stop.signal };
  const fail = () => Promise.reject(new Error("broken"));
  const onFailure = () => {
    throw new Error("given up");
  };
  await expect(retry(fail, { ...options, onFailure })).rejects.toThrow("given up");
  const waiting = retry(fail, options);
  await host.advance(50);
  stop.abort(new Error("closed"));
  await expect(waiting).rejects.toThrow("closed");
  expect(host.waiting).toBe(0);
});

test("repeat pauses only after failures, resets its backoff with each success, and resolves at the abort", async () => {
  const host = new VirtualHost();
  const stop = new AbortController();
  const at: number[] = [];
  const results = [false, false, true, true, false];
  const work = async () => {
    at.push(host.clock.elapsedMilliseconds());
    const succeeds = results.shift();
    if (succeeds === undefined) stop.abort();
    else if (!succeeds) throw new Error("broken");
  };
  const options = { backoff: new Backoff(limits), timers: host.timers, signal: stop.signal };
  const repeating = repeat(work, options);
  await host.advance(10_000);
  await repeating;
  expect(at).toEqual([0, 100, 300, 300, 300, 400]);
});
