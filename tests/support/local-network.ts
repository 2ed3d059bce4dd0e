/** A whole local network in this process, with clients of its validators, ledgers and scans. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { type Command, localNetworkApi } from "../../packages/api/src/index.ts";
import {
  type AnyTemplateDeclaration,
  type ContractId,
  ledgerJson,
  type PayloadOf,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { LocalnetOptions } from "../../packages/localnet/src/localnet-options.ts";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import { type Localnet, startLocalnet } from "../../packages/localnet/src/start-localnet.ts";
import { AUTH, makeToken, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import type { Host } from "../../packages/node/src/host/host.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { startValidator, type Validator, type ValidatorConfig } from "../../packages/validator/src/index.ts";
import { listActiveContracts } from "./active-contracts.ts";
import { type NetworkAddresses, NetworkClients, type ValidatorClient } from "./network-clients.ts";
import { storeIn } from "./postgres.ts";

/** The time between two rounds, in microseconds. */
export const TICK = 600_000_000n;

export interface Request {
  readonly name: string;
  readonly url?: string;
  readonly description?: string;
}

export interface ValidatorOptions {
  /** True if omitted: resolves once it is idle. */
  readonly waits?: boolean;
  readonly system?: Host;
}

export class LocalNetwork extends NetworkClients {
  readonly net: Localnet;
  /** Holds the network's data, and those of further validators. */
  readonly folder: string;
  readonly #closing: (() => void | Promise<void>)[];

  private constructor(net: Localnet, folder: string, closing: (() => void | Promise<void>)[]) {
    super();
    this.net = net;
    this.folder = folder;
    this.#closing = closing;
  }

  /** Its validators record no liveness, so that coin comes and goes by what a test does alone, unless told to. */
  static async start(options: Partial<LocalnetOptions> = {}): Promise<LocalNetwork> {
    const closing: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((close) => closing.push(close));
    const { dataFolder = join(folder, "net") } = options;
    const net = await startLocalnet({
      dataFolder,
      ...(await storeIn(dataFolder)),
      pausedAutomations: ["record-liveness"],
      ...options,
    });
    closing.push(() => net.close());
    return new LocalNetwork(net, folder, closing);
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }

  get addresses(): NetworkAddresses {
    const { nodes, svs, serviceToken } = this.net;
    return { nodes: Object.values(nodes), svs, serviceToken };
  }

  settle(): Promise<void> {
    return this.net.settle();
  }

  get development(): Client<typeof localNetworkApi.endpoints> {
    return createClient(localNetworkApi, { fetch, baseUrl: this.net.developmentUrl });
  }

  /** So many microseconds beyond so many days. */
  async forward(days: number, microseconds = 0n): Promise<void> {
    await this.net.moveClock(BigInt(days) * DAY + microseconds);
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

  /** From the request until the name is live, or the payment has been given back. Answers the whole name. */
  async buy(buyer: NodeName | ValidatorClient, request: Request | string): Promise<string> {
    const client = typeof buyer === "string" ? this.validator(buyer) : buyer;
    const wanted = typeof request === "string" ? { name: request } : request;
    const { name, subscriptionRequestCid } = await client.createAnsEntry({
      body: { url: "", description: "", ...wanted },
    });
    await client.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    await this.net.settle();
    return name;
  }

  async owned(node: NodeName): Promise<readonly string[]> {
    return (await this.validator(node).listAnsEntries()).entries.map(({ name }) => name);
  }

  /** Every replica has the same digest at the same entry. */
  async digestsAgree(): Promise<boolean> {
    const heads = () => this.net.svs.map(({ replica }) => replica.state.head);
    const goal = Math.max(...heads().map(({ sequence }) => sequence));
    const signal = AbortSignal.timeout(60_000);
    await Promise.all(this.net.svs.map(({ replica }) => replica.reach(goal, signal)));
    return new Set(heads().map(({ sequence, digest }) => `${sequence} ${digest}`)).size === 1;
  }

  /** A further validator on the participant of `app-user`, for these users. */
  async startValidator(
    walletUsers: readonly string[],
    folder: string,
    { waits = true, system = systemHost, ...change }: Partial<ValidatorConfig> & ValidatorOptions = {},
  ): Promise<Validator> {
    const { net } = this;
    const dataFolder = join(this.folder, folder);
    const config: ValidatorConfig = {
      dataFolder,
      ...(await storeIn(dataFolder)),
      host: "127.0.0.1",
      port: 0,
      participantUrl: net.nodes["app-user"].ledgerUrl,
      scans: net.svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
      auth: AUTH,
      serviceUser: { userId: SERVICE_USER, token: () => net.serviceToken },
      walletUsers,
      operatorPartyHint: "app_user_localnet-localparty-1",
      pausedAutomations: ["record-liveness"],
      log: silentLog,
      ...change,
    };
    const validator = await startValidator(config, system);
    this.#closing.push(() => validator.close());
    if (waits) await validator.idle();
    return validator;
  }

  /** The contracts of a template on the participant of `app-user`, as the party sees them. */
  async listActive<T extends AnyTemplateDeclaration>(
    template: T,
    party: string,
  ): Promise<readonly { readonly contractId: ContractId; readonly payload: PayloadOf<T> }[]> {
    const active = await listActiveContracts(this.ledger(), party, template.nameRef);
    return active.map(({ contractId, argument }) => ({
      contractId: contractId as ContractId,
      payload: template.record.fromJson(argument, ledgerJson) as PayloadOf<T>,
    }));
  }

  /** As these parties of the participant of `app-user`; then everybody has done what follows from it. */
  async submit(
    actAs: readonly string[],
    commands: readonly Command[],
    readAs: readonly string[] = [],
  ): Promise<void> {
    await this.ledger().submitAndWait({
      body: {
        ...{ commandId: randomUUID(), userId: SERVICE_USER },
        ...{ actAs: [...actAs], readAs: [...readAs], commands: [...commands] },
      },
    });
    await this.net.settle();
  }

  /** A party of its own on the participant of `app-user`, and a user for it. */
  async makeUser(userId: string): Promise<{ readonly party: string; readonly token: string }> {
    const ledger = this.ledger();
    const { partyDetails } = await ledger.allocateParty({ body: { partyIdHint: userId } });
    const { party } = partyDetails;
    await ledger.createUser({
      body: {
        user: { id: userId, primaryParty: party },
        rights: [{ kind: { CanActAs: { value: { party } } } }],
      },
    });
    return { party, token: await makeToken(userId) };
  }
}
