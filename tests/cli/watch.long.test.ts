// `callsign watch` on a real network whose scans are lost one after another: each change is printed exactly once.

import { systemHost, type Timer, type Timers } from "@callsign/node";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { SILENCE_MILLISECONDS } from "../../packages/cli/src/names/watch-names.ts";
import { runCommand } from "../../packages/cli/src/run-command.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { BackgroundNetwork } from "./background-network.ts";

const atEnd = atEndOfFile();
let network: BackgroundNetwork;
beforeAll(async () => {
  network = await BackgroundNetwork.start(atEnd);
  await network.ask("tap", "100");
}, 120_000);

/** Longer than any pause before a further attempt. */
const LEAST_DEADLINE_MILLISECONDS = 10_000;

interface Timing {
  readonly callback: () => void;
  readonly milliseconds: number;
}

/** Deadlines pass when the test says so; pauses before a further attempt are short. */
class SteeredTimers implements Timers {
  readonly soon = systemHost.timers.soon;
  readonly #deadlines = new Map<Timer, Timing>();

  readonly set = (callback: () => void, milliseconds: number): Timer => {
    if (milliseconds < LEAST_DEADLINE_MILLISECONDS) return systemHost.timers.set(callback, milliseconds / 10);
    const timer = { unref: () => undefined };
    this.#deadlines.set(timer, { callback, milliseconds });
    return timer;
  };

  readonly clear = (timer: Timer | undefined): void => {
    if (timer === undefined || !this.#deadlines.delete(timer)) systemHost.timers.clear(timer);
  };

  /** Throws unless a stream has begun to count its silence. */
  passSilence(): void {
    const isSilence = ([, { milliseconds }]: [Timer, Timing]) => milliseconds === SILENCE_MILLISECONDS;
    const found = [...this.#deadlines].find(isSilence);
    if (found === undefined) throw new Error("no deadline counts the silence of a stream");
    const [timer, { callback }] = found;
    this.#deadlines.delete(timer);
    callback();
  }
}

/** A proxy in front of each scan. */
class Scans {
  /** The text that the watch got from each scan. */
  readonly #heard: string[] = [];
  readonly #proxies: readonly TcpProxy[];

  constructor(proxies: readonly TcpProxy[]) {
    this.#proxies = proxies;
    for (const [i, proxy] of proxies.entries()) {
      this.#heard.push("");
      const toClient = (bytes: Buffer) => {
        this.#heard[i] += bytes.toString();
        return bytes;
      };
      proxy.hooks = { toClient };
    }
  }

  /** A data folder where commands find the network with these scans. */
  writeRecord(): string {
    const scanUrl = (i: number) => `http://127.0.0.1:${this.#proxies[i]?.port}`;
    return network.changeRecord(({ svs }) => ({
      svs: svs.map((sv, i) => ({ ...sv, scanUrl: scanUrl(i) })),
    }));
  }

  async hasListener(i: number): Promise<void> {
    await until(() => /^id: \d+$/m.test(this.#heard[i] ?? ""), `scan ${i + 1} has begun a stream`);
  }

  /** Connections stay open, and nothing more comes from there. */
  hang(i: number): void {
    const proxy = this.#proxies[i];
    if (proxy !== undefined) proxy.hooks = { toClient: () => null };
  }

  stop(i: number): void {
    const proxy = this.#proxies[i];
    if (proxy === undefined) return;
    proxy.isDown = true;
    proxy.cutAll();
  }
}

async function startScans(): Promise<Scans> {
  const starting = network.answer.svs.map(({ scanUrl }) =>
    TcpProxy.start(Number(new URL(scanUrl).port), onTestFinished),
  );
  return new Scans(await Promise.all(starting));
}

/** In this process, with the output of a pipe. */
function startWatch(...words: readonly string[]) {
  const timers = new SteeredTimers();
  const [lines, complaints]: [string[], string[]] = [[], []];
  let interrupt: () => void = () => undefined;
  const ended = runCommand(["watch", ...words], {
    terminal: { write: (text) => void lines.push(text), complain: (text) => void complaints.push(text) },
    environment: {},
    host: { ...systemHost, timers },
    onInterrupt: (call) => {
      interrupt = call;
      return () => undefined;
    },
  });
  onTestFinished(async () => {
    interrupt();
    await ended;
  });
  const names = () => lines.map((line) => (JSON.parse(line) as { name: string }).name.split(".")[0]);
  return {
    names,
    printed: (name: string) => until(() => names().includes(name), `${name} is printed`),
    passSilence: () => timers.passSilence(),
    interrupt: () => interrupt(),
    end: async () => [await ended, complaints.join("")],
  };
}

test("watch prints each change once while scans break off and fall silent", async () => {
  const scans = await startScans();
  const watch = startWatch("--data", scans.writeRecord());
  await scans.hasListener(0);
  // The first scan has told no change yet: the watch goes on from where that stream began.
  scans.hang(0);
  await network.ask("register", "lost");
  scans.stop(0);
  await watch.printed("lost");
  await network.ask("register", "heard");
  await watch.printed("heard");
  scans.hang(1);
  await network.ask("register", "unheard");
  watch.passSilence();
  await watch.printed("unheard");
  await network.ask("register", "afterwards");
  await watch.printed("afterwards");
  watch.interrupt();
  expect(await watch.end()).toEqual([130, ""]);
  expect(watch.names()).toEqual(["lost", "heard", "unheard", "afterwards"]);
});

test("watch ends with 4 and the place to go on from once no scan answers", async () => {
  const scans = await startScans();
  const watch = startWatch("--data", scans.writeRecord(), "--after", "0");
  await watch.printed("afterwards");
  for (const i of network.answer.svs.keys()) scans.stop(i);
  const [exitCode, complained] = await watch.end();
  const { changes } = await network.ask<{ changes: { offset: string }[] }>("history", "afterwards");
  expect([exitCode, complained]).toEqual([
    4,
    expect.stringMatching(
      new RegExp(`: no scan answers \\(.*\\)\\. .* callsign watch --after ${changes.at(-1)?.offset}\n$`),
    ),
  ]);
});
