/** A local network with its clients at hand, and what a person does with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { HttpError } from "../../packages/api/src/client-errors.ts";
import { ledgerApi } from "../../packages/api/src/ledger/api.ts";
import { localNetworkApi } from "../../packages/api/src/local-network/api.ts";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import {
  type Localnet,
  type LocalnetOptions,
  startLocalnet,
} from "../../packages/localnet/src/start-localnet.ts";
import { makeToken } from "../../packages/localnet/src/tokens.ts";

export type ValidatorClient = Client<typeof validatorApi.endpoints>;
export type ScanClient = Client<typeof scanApi.endpoints>;
export type LedgerClient = Client<typeof ledgerApi.endpoints>;

export const DAY_SECONDS = 86_400;
const DAY = 86_400_000_000n;

export interface Request {
  readonly name: string;
  readonly url?: string;
  readonly description?: string;
}

export class LocalnetWorld {
  readonly network: Localnet;
  readonly #folder: string;

  private constructor(network: Localnet, folder: string) {
    this.network = network;
    this.#folder = folder;
  }

  static async start(options: Partial<LocalnetOptions> = {}): Promise<LocalnetWorld> {
    const folder = mkdtempSync(join(tmpdir(), "callsign-localnet-"));
    return new LocalnetWorld(
      await startLocalnet({ dataFolder: folder, pausedAutomations: ["record-liveness"], ...options }),
      folder,
    );
  }

  async close(): Promise<void> {
    await this.network.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A token that holds, for any user. */
  token(user: string): Promise<string> {
    return makeToken(user);
  }

  validator(node: NodeName, token = this.network.nodes[node].token): ValidatorClient {
    const baseUrl = `${this.network.nodes[node].validatorUrl}/api/validator`;
    return createClient(validatorApi, { fetch, baseUrl, token: () => token });
  }

  ledger(node: NodeName, token = this.network.serviceToken): LedgerClient {
    return createClient(ledgerApi, {
      fetch,
      baseUrl: this.network.nodes[node].ledgerUrl,
      token: () => token,
    });
  }

  scan(number = 1): ScanClient {
    const baseUrl = `${this.network.svs[number - 1]?.scanUrl}/api/scan`;
    return createClient(scanApi, { fetch, baseUrl });
  }

  get development(): Client<typeof localNetworkApi.endpoints> {
    return createClient(localNetworkApi, { fetch, baseUrl: this.network.developmentUrl });
  }

  async forwardDays(days: number): Promise<void> {
    await this.development.moveClock({ body: { forwardSeconds: days * DAY_SECONDS } });
  }

  /** So many microseconds beyond so many days. */
  async forward(days: number, microseconds: bigint): Promise<void> {
    await this.network.moveClock(BigInt(days) * DAY + microseconds);
  }

  async party(node: NodeName): Promise<string> {
    return (await this.validator(node).userStatus()).party_id;
  }

  tap(node: NodeName, amount: string): Promise<unknown> {
    return this.validator(node).tap({ body: { amount } });
  }

  /** Unlocked coin, in units of 10⁻¹⁰. */
  async unlocked(node: NodeName): Promise<bigint> {
    return decimal((await this.validator(node).getBalance()).effective_unlocked_qty);
  }

  async locked(node: NodeName): Promise<bigint> {
    return decimal((await this.validator(node).getBalance()).effective_locked_qty);
  }

  request(node: NodeName, { name, url = "", description = "" }: Request) {
    return this.validator(node).createAnsEntry({ body: { name, url, description } });
  }

  accept(node: NodeName, contract_id: string) {
    return this.validator(node).acceptSubscriptionRequest({ params: { contract_id } });
  }

  /** From the request until the name is live, or the payment has been given back. */
  async buy(node: NodeName, request: Request): Promise<string> {
    const { name, subscriptionRequestCid } = await this.request(node, request);
    await this.accept(node, subscriptionRequestCid);
    await this.network.settle();
    return name;
  }

  /** The party that a scan says the name belongs to; null if it says that there is none. */
  async owner(name: string, scanNumber = 1): Promise<string | null> {
    try {
      return (await this.scan(scanNumber).lookupAnsEntryByName({ params: { name } })).entry.user;
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return null;
      throw error;
    }
  }

  async owned(node: NodeName): Promise<readonly string[]> {
    return (await this.validator(node).listAnsEntries()).entries.map(({ name }) => name);
  }

  /** Every replica has the same digest at the same entry. */
  async digestsAgree(): Promise<boolean> {
    const heads = () => this.network.svs.map(({ replica }) => replica.state.head);
    const goal = Math.max(...heads().map(({ sequence }) => sequence));
    const signal = AbortSignal.timeout(5000);
    await Promise.all(this.network.svs.map(({ replica }) => replica.reach(goal, signal)));
    return new Set(heads().map(({ sequence, digest }) => `${sequence} ${digest}`)).size === 1;
  }
}

/** The status of a call that fails, with what it said; 200 for one that does not. */
export async function outcomeOf(call: Promise<unknown>): Promise<{ status: number; body: unknown }> {
  try {
    return { status: 200, body: await call };
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, body: error.body };
    throw error;
  }
}
