/** A participant and its validator on a local network. Each is killed alone, and comes back to its data and its port. */
import { join } from "node:path";
import { HttpError, TransportError } from "../../packages/api/src/client-errors.ts";
import { createClient, ledgerApi } from "../../packages/api/src/index.ts";
import { AUTH, makeToken, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { until } from "../../packages/node/testing/until.ts";
import { freePort } from "../support/free-port.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import type { LedgerClient } from "../support/participants.ts";
import type { RoleSettings, RunRole } from "./role-runner.ts";

export type Role = RoleSettings["role"];
type ValidatorSettings = Extract<RoleSettings, { readonly role: "validator" }>;
/** The time within which a restarted role must be ready. */
const READY_MILLISECONDS = 60_000;

export class WalletNode {
  readonly name: string;
  readonly #run: RunRole;
  readonly #settings: { readonly participant: RoleSettings; validator: ValidatorSettings };
  readonly #kills = new Map<Role, () => Promise<void>>();
  readonly #ports: Readonly<Record<Role, number>>;
  readonly #serviceToken: string;
  #onCall: () => void = () => undefined;

  private constructor(
    name: string,
    parts: {
      readonly run: RunRole;
      readonly network: LocalNetwork;
      readonly ports: Readonly<Record<Role, number>>;
      readonly secret: string;
    },
  ) {
    const { run, network, ports, secret } = parts;
    const { net, folder } = network;
    this.name = name;
    this.#run = run;
    this.#ports = ports;
    this.#serviceToken = net.serviceToken;
    const shared = { host: "127.0.0.1", auth: AUTH };
    this.#settings = {
      participant: {
        role: "participant",
        config: {
          ...{ ...shared, port: ports.participant, dataFolder: join(folder, name, "participant") },
          ...{ nodeIdentifier: `${name}-participant`, adminUsers: [SERVICE_USER] },
          sequencers: net.svs.map(({ sequencerUrl }) => sequencerUrl),
        },
      },
      validator: {
        role: "validator",
        ...{ userId: SERVICE_USER, token: net.serviceToken },
        config: {
          ...{ ...shared, port: ports.validator, dataFolder: join(folder, name, "validator") },
          ...{ participantUrl: `http://127.0.0.1:${ports.participant}`, walletUsers: [`${name}-operator`] },
          operatorPartyHint: `${name}-validator-1`,
          scans: net.svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
          onboarding: { svUrl: `${net.svs[0]?.appUrl}/api/sv`, secret },
          // Balances change by the actions of people alone.
          pausedAutomations: ["record-liveness"],
        },
      },
    };
  }

  /** Resolves when both are ready. */
  static async start(name: string, network: LocalNetwork, run: RunRole): Promise<WalletNode> {
    const { secret } = await network.sv().prepareValidatorOnboarding({ body: { expires_in: 172_800 } });
    const ports = { participant: await freePort(), validator: await freePort() };
    const node = new WalletNode(name, { run, network, ports, secret });
    for (const role of ["participant", "validator"] as const) await node.#start(role);
    await node.ready();
    return node;
  }

  get operatorUser(): string {
    return `${this.name}-operator`;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports.validator}`;
  }

  async wallet(user: string): Promise<ValidatorClient> {
    const send: typeof fetch = (address, init) => {
      this.#onCall();
      return fetch(address, init);
    };
    return validatorClient(this.url, await makeToken(user), send);
  }

  /** A client of the participant's administrator. */
  get ledger(): LedgerClient {
    const baseUrl = `http://127.0.0.1:${this.#ports.participant}`;
    return createClient(ledgerApi, { fetch, baseUrl, token: () => this.#serviceToken });
  }

  async ready(): Promise<void> {
    const isReady = async () => (await fetch(`${this.url}/readyz`).catch(() => null))?.status === 200;
    await until(isReady, `the validator of ${this.name} is ready`, READY_MILLISECONDS);
  }

  /** Resolves when people have begun that many further calls: the last one is still in flight. */
  calls(count: number): Promise<void> {
    return new Promise((resolve) => {
      let left = count;
      this.#onCall = () => {
        left--;
        if (left === 0) resolve();
      };
    });
  }

  /** Kills the role at once, and starts it again. */
  async restart(role: Role): Promise<void> {
    await this.kill(role);
    await this.#start(role);
  }

  /** Changes the settings of all its later starts. */
  async restartValidatorWith(change: Partial<ValidatorSettings["config"]>): Promise<void> {
    const { validator } = this.#settings;
    this.#settings.validator = { ...validator, config: { ...validator.config, ...change } };
    await this.restart("validator");
    await this.ready();
  }

  async kill(role: Role): Promise<void> {
    await this.#kills.get(role)?.();
  }

  async close(): Promise<void> {
    for (const role of ["validator", "participant"] as const) await this.kill(role);
  }

  /**
   * Repeats a call that may be cut off until it gets a definite answer. `done` tells whether the refusal
   * of a repetition means that an earlier sending took effect.
   */
  async insist<T>(call: () => Promise<T>, done: (refusal: HttpError) => boolean): Promise<T | "done"> {
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        return await call();
      } catch (error) {
        if (!isPassing(error)) {
          if (error instanceof HttpError && isRepeated && done(error)) return "done";
          throw error;
        }
      }
      await this.ready();
    }
  }

  async #start(role: Role): Promise<void> {
    this.#kills.set(role, await this.#run(this.#settings[role]));
  }
}

/** True for a failure that says nothing about the call: its answer was lost, or the role was not ready. */
function isPassing(error: unknown): boolean {
  if (error instanceof TransportError) return true;
  if (!(error instanceof HttpError)) return false;
  // An application that starts knows none of its paths.
  return error.status >= 500 || error.status === 429 || /resource could not be found/.test(error.message);
}
