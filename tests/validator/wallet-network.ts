/** A local network for tests, with clients of its validators and ledgers. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, type Command, createClient, ledgerApi, validatorApi } from "@callsign/api";
import { type AnyTemplateDeclaration, type ContractId, ledgerJson, type PayloadOf } from "@callsign/ledger";
import {
  type Localnet,
  type LocalnetOptions,
  makeToken,
  SERVICE_USER,
  startLocalnet,
  TOKEN_AUDIENCE,
  TOKEN_SECRET,
} from "@callsign/localnet";
import { silentLog } from "@callsign/node";
import { startValidator, type Validator, type ValidatorConfig } from "@callsign/validator";
import { eventFormatOf } from "../../packages/validator/src/ledger/event-formats.ts";

export type WalletClient = Client<typeof validatorApi.endpoints>;
export type LedgerClient = Client<typeof ledgerApi.endpoints>;

export const DAY = 86_400_000_000n;
export const AUTH = { kind: "hs256", secret: TOKEN_SECRET, audience: TOKEN_AUDIENCE } as const;

export class WalletNetwork {
  readonly net: Localnet;
  /** Where it keeps everything. */
  readonly folder: string;
  readonly #closing: (() => Promise<void>)[] = [];

  private constructor(net: Localnet, folder: string) {
    this.net = net;
    this.folder = folder;
  }

  /** Its validators record no liveness, so that coin comes and goes by what a test does alone, unless told to. */
  static async start(options: Partial<LocalnetOptions> = {}): Promise<WalletNetwork> {
    const folder = mkdtempSync(join(tmpdir(), "callsign-wallets-"));
    const dataFolder = join(folder, "net");
    const net = await startLocalnet({ dataFolder, pausedAutomations: ["record-liveness"], ...options });
    return new WalletNetwork(net, folder);
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
    await this.net.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The validator of a node, as a user: the node's own unless another token is given. */
  wallet(name: "app-user" | "app-provider" = "app-user", token = this.net.nodes[name].token): WalletClient {
    return walletAt(this.net.nodes[name].validatorUrl, token);
  }

  ledger(name: "app-user" | "app-provider" = "app-user", token = this.net.serviceToken): LedgerClient {
    return createClient(ledgerApi, { fetch, baseUrl: this.net.nodes[name].ledgerUrl, token: () => token });
  }

  /** A further validator on the participant of `app-user`, for these users. */
  async startValidator(
    walletUsers: readonly string[],
    folder: string,
    { waits = true, ...change }: Partial<ValidatorConfig> & { readonly waits?: boolean } = {},
  ): Promise<Validator> {
    const { net } = this;
    const validator = await startValidator({
      dataFolder: join(this.folder, folder),
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
    });
    this.#closing.push(() => validator.close());
    if (waits) await validator.idle();
    return validator;
  }

  /** What the participant of `app-user` has of that template, as the party sees it. */
  async listActive<T extends AnyTemplateDeclaration>(
    template: T,
    party: string,
  ): Promise<readonly { readonly contractId: ContractId; readonly payload: PayloadOf<T> }[]> {
    const ledger = this.ledger();
    const { offset: activeAtOffset } = await ledger.getLedgerEnd();
    const active = await ledger.listActiveContracts({
      body: { activeAtOffset, eventFormat: eventFormatOf([party], [template]) },
    });
    return active.flatMap(({ contractEntry }) => {
      if (!("JsActiveContract" in contractEntry)) return [];
      const { contractId, createArgument } = contractEntry.JsActiveContract.createdEvent;
      const payload = template.record.fromJson(createArgument, ledgerJson) as PayloadOf<T>;
      return [{ contractId: contractId as ContractId, payload }];
    });
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

  /** From the request to the live entry. */
  async buy(wallet: WalletClient, name: string): Promise<void> {
    const { subscriptionRequestCid } = await wallet.createAnsEntry({
      body: { name, url: "", description: "" },
    });
    await wallet.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    await this.net.settle();
  }
}

export function walletAt(url: string, token: string): WalletClient {
  return createClient(validatorApi, { fetch, baseUrl: `${url}/api/validator`, token: () => token });
}
