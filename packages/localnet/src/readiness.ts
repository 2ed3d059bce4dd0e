/** The health of the network's endpoints, and the wait at the start until all of them answer. */
import { type Host, type HttpClient, sleep, startDeadline } from "@callsign/node";
import type { SvNode } from "@callsign/sv";
import type { Validator } from "@callsign/validator";
import { HEALTH_MILLISECONDS } from "./limits.ts";
import type { LocalnetNode } from "./start-node.ts";

export interface NamedEndpoint {
  readonly name: string;
  /** With the API's prefix. */
  readonly url: string;
}

export type HealthPath = "/readyz" | "/livez";

const PAUSE_MILLISECONDS = 5;

/** The reason why the network does not start, for its operator. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

export class HealthChecks {
  readonly #endpoints: readonly NamedEndpoint[];
  readonly #host: Host;
  readonly #client: HttpClient;

  constructor(endpoints: readonly NamedEndpoint[], host: Host) {
    this.#endpoints = endpoints;
    this.#host = host;
    this.#client = host.http.openClient();
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  /** The names of the endpoints that do not answer 200. */
  async listSilent(path: HealthPath, endpoints = this.#endpoints): Promise<readonly string[]> {
    const names = await Promise.all(
      endpoints.map(async ({ name, url }) => ((await this.#answers200(url + path)) ? [] : [name])),
    );
    return names.flat();
  }

  /** Rejects with `CannotStart` once an SV has stopped, or the time is over. */
  async waitUntilReady(
    { svs, validators }: { readonly svs: readonly SvNode[]; readonly validators: readonly Validator[] },
    milliseconds: number,
  ): Promise<void> {
    const { timers } = this.#host;
    const deadline = startDeadline(milliseconds, { timers });
    let waiting = this.#endpoints;
    for (;;) {
      const isLate = deadline.isPast();
      // Validators are ready last. Health checks until then would only slow them down.
      if (isLate || validators.every((validator) => validator.isReady())) {
        const silent = new Set(await this.listSilent("/readyz", waiting));
        if (silent.size === 0) break;
        waiting = waiting.filter(({ name }) => silent.has(name));
        if (isLate) {
          const names = [...silent].join(", ");
          throw new CannotStart(`after ${milliseconds / 1000} seconds these do not answer: ${names}`);
        }
      }
      for (const sv of svs) {
        const failure = sv.failure();
        if (failure !== null)
          throw new CannotStart(`${sv.identity.nodeIdentifier} stopped: ${failure.message}`);
      }
      await sleep(PAUSE_MILLISECONDS, { timers });
    }
    deadline.clear();
  }

  async #answers200(url: string): Promise<boolean> {
    const deadline = startDeadline(HEALTH_MILLISECONDS, this.#host);
    try {
      const { status, body } = await this.#client.fetch(url, { signal: deadline.signal });
      await body?.cancel();
      return status === 200;
    } catch {
      return false;
    } finally {
      deadline.clear();
    }
  }
}

export function listEndpoints(
  nodes: readonly LocalnetNode[],
  svs: readonly SvNode[],
): readonly NamedEndpoint[] {
  return [
    ...nodes.flatMap(({ name, ledgerUrl, validatorUrl, gatewayUrl }) => [
      { name: `${name} JSON Ledger API`, url: ledgerUrl },
      { name: `${name} validator`, url: `${validatorUrl}/api/validator` },
      { name: `${name} gateway`, url: `${gatewayUrl}/api/validator` },
    ]),
    ...svs.flatMap(({ scanUrl, sequencerUrl, appUrl }, i) => [
      { name: `scan ${i + 1}`, url: `${scanUrl}/api/scan` },
      { name: `sequencer ${i + 1}`, url: sequencerUrl },
      { name: `SV app ${i + 1}`, url: `${appUrl}/api/sv` },
    ]),
  ];
}
