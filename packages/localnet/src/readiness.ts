/** The health of the network's endpoints, and the wait at the start until all of them answer. */
import {
  CannotStart,
  type Host,
  type HttpClient,
  StoreUnwritable,
  sleep,
  startDeadline,
} from "@callsign/node";
import { checkEnough, type SvNode } from "@callsign/sv";
import { CatchUpDeadline } from "./catch-up-deadline.ts";
import { numberOf, SV_NAMES } from "./data-folder.ts";
import { HEALTH_MILLISECONDS } from "./limits.ts";
import type { LocalnetNode } from "./start-node.ts";

export interface NamedEndpoint {
  readonly name: string;
  /** The name of the SV that it belongs to. */
  readonly sv?: string;
  /** With the API's prefix. */
  readonly url: string;
}

export type HealthPath = "/readyz" | "/livez";

const PAUSE_MILLISECONDS = 5;

interface StartingParts {
  readonly svs: readonly SvNode[];
  readonly nodes: readonly LocalnetNode[];
  /** SVs that could not start. */
  readonly stopped: ReadonlyMap<string, string>;
  /** The log's last entry when they started. */
  readonly logEnd: number;
  /** Called when the validators can serve their users. */
  readonly onValidatorsReady?: (() => void) | undefined;
}

export class HealthChecks {
  readonly #endpoints: readonly NamedEndpoint[];
  readonly #host: Host;
  readonly #client: HttpClient;

  /** Parts that could not start never answer. */
  readonly #stopped: readonly string[];

  constructor(endpoints: readonly NamedEndpoint[], host: Host, stopped: readonly string[] = []) {
    this.#stopped = stopped;
    this.#endpoints = endpoints;
    this.#host = host;
    this.#client = host.http.openClient();
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  /** The names of the endpoints that do not answer 200. */
  async listSilent(path: HealthPath): Promise<readonly string[]> {
    return [...this.#stopped, ...(await this.#listSilent(path, this.#endpoints))];
  }

  async #listSilent(path: HealthPath, endpoints: readonly NamedEndpoint[]): Promise<readonly string[]> {
    const names = await Promise.all(
      endpoints.map(async ({ name, url }) => ((await this.#answers200(url + path)) ? [] : [name])),
    );
    return names.flat();
  }

  /**
   * Resolves with the reasons why SVs have stopped, by their names: the others are enough. Rejects with `CannotStart` if
   * they are not, or if nothing has gone on for that time.
   */
  async waitUntilReady(
    { svs, nodes, stopped, logEnd, onValidatorsReady }: StartingParts,
    milliseconds: number,
  ): Promise<ReadonlyMap<string, string>> {
    const { timers, clock } = this.#host;
    const down = new Map(stopped);
    const deadline = new CatchUpDeadline(logEnd, milliseconds, clock);
    for (;;) {
      for (const sv of svs) {
        const failure = sv.failure();
        if (failure !== null) down.set(sv.identity.nodeIdentifier, failure.message);
      }
      const [unwritable, ...others] = svs.map((sv) => sv.failure());
      if (unwritable instanceof StoreUnwritable && others.every((other) => other instanceof StoreUnwritable))
        throw unwritable;
      checkEnough(down, SV_NAMES.length);
      for (const { name, participant } of nodes) {
        const failure = participant.failure();
        if (failure !== null) throw new CannotStart(`the participant of ${name} cannot go on: ${failure}`);
      }
      const isLate = deadline.isPast(svs.map(({ replica }) => replica.state.head.sequence));
      // Validators are ready last. Health checks until then would only slow them down.
      if (isLate || nodes.every(({ validator }) => validator.isReady())) {
        onValidatorsReady?.();
        const waiting = this.#endpoints.filter(({ sv }) => sv === undefined || !down.has(sv));
        const silent = await this.#listSilent("/readyz", waiting);
        if (silent.length === 0) return down;
        if (isLate) {
          const names = silent.join(", ");
          const reasons = nodes.flatMap(({ name, participant, validator }) => {
            const reason = participant.missing() ?? validator.missing();
            return reason === null ? [] : [`${name}: ${reason}`];
          });
          throw new CannotStart(
            [`after ${milliseconds / 1000} seconds these do not answer: ${names}`, ...reasons].join("\n"),
          );
        }
      }
      await sleep(PAUSE_MILLISECONDS, { timers });
    }
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
    ...svs.flatMap(({ identity: { nodeIdentifier: sv }, scanUrl, sequencerUrl, appUrl }) => [
      { sv, name: `scan ${numberOf(sv)}`, url: `${scanUrl}/api/scan` },
      { sv, name: `sequencer ${numberOf(sv)}`, url: sequencerUrl },
      { sv, name: `SV app ${numberOf(sv)}`, url: `${appUrl}/api/sv` },
    ]),
  ];
}
