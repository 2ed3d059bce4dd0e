/** A validator with one user on a network of SVs. A rejected submission rejects the call. */
import { expect } from "vitest";
import {
  AnsEntry,
  AnsEntryContext,
  type Command,
  type ContractId,
  createCommand,
  exerciseCommand,
  LockedAmulet,
  type Outcome,
  type PartyId,
  SubscriptionIdleState,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import type { ActiveContract } from "../../packages/ledger/testing/simulated-network.ts";
import { InstalledWallet, installation } from "../../packages/ledger/testing/wallet-actor.ts";
import type { MirroredLedger } from "../support/mirrored-ledger.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { SvNetwork, type SvNetworkOptions } from "./sv-network.ts";

export class Wallet extends InstalledWallet<Promise<Outcome>> {
  /** The same user's rewards, traffic and rights. */
  get economy(): EconomyWallet<Promise<Outcome>> {
    return new EconomyWallet(this.network, this.member, this.party);
  }

  /** Registers a validator and installs its user's wallet. */
  static async open(network: MirroredLedger, name: string): Promise<Wallet> {
    const identity = identityNamed(`${name}-validator`);
    const { id, namespace, nodeIdentifier, namespaceKey, signingKey } = identity;
    const operator = `${name}-operator::${namespace}` as PartyId;
    const party = `${name}::${namespace}` as PartyId;
    const member = { ...identity, party: operator };
    const keys = { namespaceKey: namespaceKey.publicKey, signingKeys: [signingKey.publicKey] };
    const registration = { ...network.once(id), nodeIdentifier, ...keys };
    await network.append({ tag: "RegisterMember", value: registration }, [namespaceKey, signingKey]);
    for (const hosted of [operator, party]) {
      const value = { ...network.once(id), party: hosted, hosts: [id], serial: 1n };
      await network.append({ tag: "HostParty", value }, [signingKey]);
    }
    const install = await network.submit(member, installation(network, member, party));
    return new Wallet(network, member, { party, install });
  }

  async request(name: string, more: { url?: string; description?: string } = {}): Promise<ContractId> {
    const { created } = await this.requestEntry({ name, ...more });
    const request = created.find(({ contract }) => contract.templateId === SubscriptionRequest.id);
    if (request === undefined) throw new Error(`${name} could not be requested`);
    return request.contract.contractId;
  }

  /** Requests and pays; the SVs do the rest. */
  async buy(name: string, more: { url?: string; description?: string } = {}): Promise<Outcome> {
    return this.accept(await this.request(name, more));
  }

  idleState(): ActiveContract<typeof SubscriptionIdleState> | undefined {
    return this.network
      .active(SubscriptionIdleState)
      .find(({ payload }) => payload.subscriptionData.sender === this.party);
  }

  override payRenewal(): Promise<Outcome> {
    return super.payRenewal(this.#idle());
  }

  cancel(): Promise<Outcome> {
    return this.cancelSubscription(this.#idle());
  }

  /** With a tombstone that the user alone has signed, the user may end the user's own context. */
  async endOwnContext(): Promise<Outcome> {
    const { contractId, payload } = this.network.only(AnsEntryContext);
    const { party } = this;
    const subscriptionData = { sender: party, receiver: party, provider: party, dso: party, description: "" };
    const { reference } = payload;
    const tombstone = createCommand(TerminatedSubscription, { subscriptionData, reference });
    const forged = await this.submit([tombstone]);
    const terminatedSubscriptionCid = forged.created[0]?.contract.contractId as ContractId;
    const argument = { actor: party, terminatedSubscriptionCid };
    const end = exerciseCommand(AnsEntryContext, contractId, "AnsEntryContext_Terminate", argument);
    return this.submit([end]);
  }

  /** Takes coin out of a lock that has run out. */
  override takeOut(): Promise<Outcome> {
    const locked = this.network
      .active(LockedAmulet)
      .find(({ payload }) => payload.amulet.owner === this.party);
    if (locked === undefined) throw new Error("no coin is locked");
    return super.takeOut(locked.contractId);
  }

  /** As the user. */
  submit(commands: readonly Command[], disclose: readonly ContractId[] = []): Promise<Outcome> {
    return this.network.submit(this.member, { actAs: [this.party], commands, disclose });
  }

  #idle(): ContractId {
    const idle = this.idleState();
    if (idle === undefined) throw new Error("no subscription is idle");
    return idle.contractId;
  }
}

/** A network on which Alice has coin, and no task is left. */
export async function withAlice({ coin = "1000.0", ...options }: SvNetworkOptions & { coin?: string } = {}) {
  const network = await SvNetwork.found(options);
  const alice = await Wallet.open(network, "alice");
  await alice.tap(decimal(coin));
  await network.settle();
  return { network, alice };
}

/** A network on which Alice owns a name, and no task is left. */
export async function withName(name: string) {
  const { network, alice } = await withAlice();
  await alice.buy(name);
  await network.settle();
  expect(network.only(AnsEntry).payload).toMatchObject({ name, user: alice.party });
  return { network, alice };
}
