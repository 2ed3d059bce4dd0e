/** Clients of a local network's validators, ledgers, scans and SV apps, wherever the network runs. */
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { HttpError, ledgerApi, scanApi, svApi, validatorApi } from "../../packages/api/src/index.ts";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import type { NetworkDescription } from "../../packages/localnet/src/summary.ts";
import type { LedgerClient } from "./participants.ts";

export type ValidatorClient = Client<typeof validatorApi.endpoints>;
export type ScanClient = Client<typeof scanApi.endpoints>;
export type SvClient = Client<typeof svApi.endpoints>;

type NodeAddress = Pick<NetworkDescription["nodes"][number], "name" | "token" | "validatorUrl" | "ledgerUrl">;

export interface NetworkAddresses extends Pick<NetworkDescription, "serviceToken"> {
  readonly svs: Readonly<NetworkDescription["svs"]>;
  readonly nodes: readonly NodeAddress[];
}

export function validatorClient(url: string, token: string, send: typeof fetch = fetch): ValidatorClient {
  return createClient(validatorApi, { fetch: send, baseUrl: `${url}/api/validator`, token: () => token });
}

export abstract class NetworkClients {
  abstract readonly addresses: NetworkAddresses;
  /** Sends the calls of its clients. */
  protected readonly fetch: typeof fetch = (address, init) => fetch(address, init);

  /** The token of the node's wallet user. */
  tokenOf(node: NodeName): string {
    return this.#node(node).token;
  }

  /** The validator of a node, as a user: the node's own unless another token is given. */
  validator(node: NodeName = "app-user", token: string = this.tokenOf(node)): ValidatorClient {
    return validatorClient(this.#node(node).validatorUrl, token, this.fetch);
  }

  /** The ledger of a node, as the participants' administrator unless another token is given. */
  ledger(node: NodeName = "app-user", token: string = this.addresses.serviceToken): LedgerClient {
    const { ledgerUrl } = this.#node(node);
    return createClient(ledgerApi, { fetch: this.fetch, baseUrl: ledgerUrl, token: () => token });
  }

  scan(number = 1): ScanClient {
    return createClient(scanApi, { fetch: this.fetch, baseUrl: `${this.#sv(number).scanUrl}/api/scan` });
  }

  /** An SV's app, for its operator. */
  sv(number = 1): SvClient {
    const { serviceToken } = this.addresses;
    const baseUrl = `${this.#sv(number).appUrl}/api/sv`;
    return createClient(svApi, { fetch: this.fetch, baseUrl, token: () => serviceToken });
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

  /** Resolves once no automation has anything to do. */
  abstract settle(): Promise<void>;

  #node(name: NodeName): NodeAddress {
    const node = this.addresses.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }

  #sv(number: number): NetworkAddresses["svs"][number] {
    const sv = this.addresses.svs[number - 1];
    if (sv === undefined) throw new Error(`there is no SV ${number}`);
    return sv;
  }
}
