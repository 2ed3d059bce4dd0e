/** A local network in a process of its own, which can be killed at any moment and started again on its data. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { ledgerApi } from "../../packages/api/src/ledger/api.ts";
import { localNetworkApi } from "../../packages/api/src/local-network/api.ts";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import { sequencerApi } from "../../packages/api/src/sequencer/api.ts";
import { svApi } from "../../packages/api/src/sv/api.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import { logPath } from "../../packages/localnet/src/data-folder.ts";
import type { NetworkDescription } from "../../packages/localnet/src/summary.ts";
import { Child, type ChildEnd } from "./child-process.ts";
import { until } from "./until.ts";

const MAIN = join(import.meta.dirname, "../../packages/localnet/src/main.ts");

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

export class LocalNetworkProcess {
  readonly addresses: NetworkDescription;
  readonly #child: Child;
  #onCall: () => void = () => undefined;
  readonly #fetch: typeof fetch = (address, init) => {
    this.#onCall();
    return fetch(address, init);
  };

  private constructor(child: Child, addresses: NetworkDescription) {
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
    const hasGrown = until(() => logSize(dataFolder) >= logBytes, "the log grows", 60_000);
    await Promise.race([hasGrown, child.said()]);
    await child.kill();
    await hasGrown.catch(() => undefined);
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

  validator(place: number): Client<typeof validatorApi.endpoints> {
    const { token, validatorUrl } = this.#node(place);
    const baseUrl = `${validatorUrl}/api/validator`;
    return createClient(validatorApi, { fetch: this.#fetch, baseUrl, token: () => token });
  }

  ledger(place: number, token = this.#node(place).token): Client<typeof ledgerApi.endpoints> {
    const baseUrl = this.#node(place).ledgerUrl;
    return createClient(ledgerApi, { fetch: this.#fetch, baseUrl, token: () => token });
  }

  scan(place: number): Client<typeof scanApi.endpoints> {
    const baseUrl = `${this.addresses.svs[place]?.scanUrl}/api/scan`;
    return createClient(scanApi, { fetch: this.#fetch, baseUrl });
  }

  /** An SV's app, for its operator. */
  sv(place: number): Client<typeof svApi.endpoints> {
    const { serviceToken, svs } = this.addresses;
    const baseUrl = `${svs[place]?.appUrl}/api/sv`;
    return createClient(svApi, { fetch: this.#fetch, baseUrl, token: () => serviceToken });
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

  async moveClock(forwardSeconds: number): Promise<void> {
    const client = createClient(localNetworkApi, {
      fetch: this.#fetch,
      baseUrl: this.addresses.developmentUrl,
    });
    await client.moveClock({ body: { forwardSeconds } });
  }

  /** Lets the automations finish. */
  settle(): Promise<void> {
    return this.moveClock(0);
  }

  #node(place: number): NetworkDescription["nodes"][number] {
    const node = this.addresses.nodes[place];
    if (node === undefined) throw new Error(`there is no node ${place}`);
    return node;
  }
}

function logSize(dataFolder: string): number {
  const sizeOf = (end: string) => statSync(logPath(dataFolder) + end, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf("") + sizeOf("-wal");
}
