/** A local network in a process of its own, which can be killed at any moment and started again on its data. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { localNetworkApi } from "../../packages/api/src/local-network/api.ts";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import { sequencerApi } from "../../packages/api/src/sequencer/api.ts";
import { svApi } from "../../packages/api/src/sv/api.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import type { NetworkDescription } from "../../packages/localnet/src/summary.ts";

const START_MILLISECONDS = 60_000;

export class KillableNetwork {
  readonly addresses: NetworkDescription;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess, addresses: NetworkDescription) {
    this.#child = child;
    this.addresses = addresses;
    this.#ended = new Promise((resolve) => child.once("close", () => resolve()));
  }

  static async start(dataFolder: string, ...more: readonly string[]): Promise<KillableNetwork> {
    const child = spawnNetwork(dataFolder, more);
    let [output, errors] = ["", ""];
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    const addresses = await new Promise<NetworkDescription>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`it did not start: ${errors}`)), START_MILLISECONDS);
      child.once("close", () => reject(new Error(`it ended: ${errors}`)));
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        if (!output.includes("\n")) return;
        clearTimeout(timer);
        resolve(JSON.parse(output) as NetworkDescription);
      });
    });
    return new KillableNetwork(child, addresses);
  }

  /** Begins to start one, and kills it then. */
  static async killInStart(dataFolder: string, afterMilliseconds: number): Promise<void> {
    const child = spawnNetwork(dataFolder, []);
    const ended = new Promise((resolve) => child.once("close", resolve));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, afterMilliseconds))]);
    child.kill("SIGKILL");
    await ended;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
  }

  validator(place: number): Client<typeof validatorApi.endpoints> {
    const { token, validatorUrl } = this.addresses.nodes[place] ?? { token: "", validatorUrl: "" };
    return createClient(validatorApi, {
      fetch,
      baseUrl: `${validatorUrl}/api/validator`,
      token: () => token,
    });
  }

  scan(place: number): Client<typeof scanApi.endpoints> {
    return createClient(scanApi, { fetch, baseUrl: `${this.addresses.svs[place]?.scanUrl}/api/scan` });
  }

  /** An SV's app, for its operator. */
  sv(place: number): Client<typeof svApi.endpoints> {
    const { serviceToken, svs } = this.addresses;
    return createClient(svApi, { fetch, baseUrl: `${svs[place]?.appUrl}/api/sv`, token: () => serviceToken });
  }

  /** What each SV says of where it stands. */
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

  /** Lets the automations finish. */
  async settle(): Promise<void> {
    const client = createClient(localNetworkApi, { fetch, baseUrl: this.addresses.developmentUrl });
    await client.moveClock({ body: { forwardSeconds: 0 } });
  }
}

function spawnNetwork(dataFolder: string, more: readonly string[]) {
  const script = join(import.meta.dirname, "../../packages/localnet/src/main.ts");
  const args = [script, "--any-ports", "--json", "--data", dataFolder, ...more];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
}
