/** A local network in a process of its own, which can be killed at any moment and started again on its data. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient, localNetworkApi, sequencerApi } from "../../packages/api/src/index.ts";
import { logPath } from "../../packages/localnet/src/data-folder.ts";
import type { NetworkDescription } from "../../packages/localnet/src/summary.ts";
import { until } from "../../packages/node/testing/until.ts";
import { Child, type ChildEnd } from "./child-process.ts";
import { NetworkClients } from "./network-clients.ts";

/** The script of `npm start`. */
export const MAIN = join(import.meta.dirname, "../../packages/localnet/src/main.ts");

/** `npm start` with any arguments, in a process of its own, which ends with the test. */
export function startMain(...args: readonly string[]): Child {
  const child = new Child(MAIN, ...args);
  onTestFinished(() => child.kill());
  return child;
}

/** `npm start` on free ports, as programs start it. */
export function startQuietly(dataFolder: string, ...more: readonly string[]): Child {
  return startMain("--any-ports", "--json", "--data", dataFolder, ...more);
}

export class LocalNetworkProcess extends NetworkClients {
  readonly addresses: NetworkDescription;
  readonly #child: Child;
  #onCall: () => void = () => undefined;
  protected override readonly fetch: typeof fetch = (address, init) => {
    this.#onCall();
    return fetch(address, init);
  };

  private constructor(child: Child, addresses: NetworkDescription) {
    super();
    this.#child = child;
    this.addresses = addresses;
  }

  static async start(dataFolder: string, ...more: readonly string[]): Promise<LocalNetworkProcess> {
    return LocalNetworkProcess.of(startQuietly(dataFolder, ...more));
  }

  /** Resolves when it is up. */
  static async of(child: Child): Promise<LocalNetworkProcess> {
    return new LocalNetworkProcess(child, JSON.parse(await child.said()) as NetworkDescription);
  }

  /** Starts one and kills it once its log takes so many bytes, or once it is up. */
  static async killInStart(dataFolder: string, logBytes: number): Promise<void> {
    const child = startQuietly(dataFolder);
    let isUp = false;
    const up = () => {
      isUp = true;
    };
    child.said().then(up, () => undefined);
    await until(() => isUp || logSize(dataFolder) >= logBytes, "the log grows, or the network is up", 60_000);
    await child.kill();
  }

  /** Resolves when its clients have begun so many further calls: the last of them is still under way. */
  calls(count: number): Promise<void> {
    return new Promise((resolve) => {
      let left = count;
      this.#onCall = () => {
        left--;
        if (left === 0) resolve();
      };
    });
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }

  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<ChildEnd> {
    return this.#child.stop(signal);
  }

  /** The head of each SV, as its sequencer tells it. */
  async heads(): Promise<readonly { readonly sequence: number; readonly digest: string }[]> {
    const heads: { sequence: number; digest: string }[] = [];
    for (const { sequencerUrl } of this.addresses.svs) {
      const { sequence, digest } = await createClient(sequencerApi, {
        fetch,
        baseUrl: sequencerUrl,
      }).getNetwork();
      heads.push({ sequence, digest });
    }
    return heads;
  }

  development(): Client<typeof localNetworkApi.endpoints> {
    return createClient(localNetworkApi, { fetch: this.fetch, baseUrl: this.addresses.developmentUrl });
  }

  async moveClock(forwardSeconds: number): Promise<void> {
    await this.development().moveClock({ body: { forwardSeconds } });
  }

  settle(): Promise<void> {
    return this.moveClock(0);
  }
}

function logSize(dataFolder: string): number {
  const sizeOf = (end: string) => statSync(logPath(dataFolder) + end, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf("") + sizeOf("-wal");
}
