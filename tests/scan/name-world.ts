/** A simulated network in which names are bought, with scan's index of it at one SV. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import {
  type FoundingOptions,
  type SimulatedMember,
  SimulatedNetwork,
} from "../../packages/ledger/testing/simulated-network.ts";
import { type EntryRequest, WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import type { NameAnswer } from "../../packages/scan/src/names/name-lookup.ts";
import { NetworkLog, openScanReplica, type ScanReplica, type ScanReplicaOptions } from "./scan-replica.ts";

export class NameWorld {
  readonly network: SimulatedNetwork;
  readonly dso: DsoActor;
  readonly validator: SimulatedMember;

  constructor(options: FoundingOptions = {}) {
    this.network = new SimulatedNetwork(options);
    this.dso = new DsoActor(this.network);
    this.validator = this.network.registerMember("validator");
  }

  wallet(name: string): WalletActor {
    return new WalletActor(this.network, this.validator, name);
  }

  /** Requests and pays; the SVs have yet to decide. */
  pay(wallet: WalletActor, request: EntryRequest): ContractId {
    this.dso.advanceRounds();
    wallet.tap(decimal("1000.0"));
    const [asked] = wallet.requestEntry(request).created;
    if (asked === undefined) throw new Error(`${request.name} could not be requested`);
    wallet.accept(asked.contract.contractId);
    return asked.contract.contractId;
  }

  /** Requests and pays, and the SVs settle everything that is due. */
  buy(wallet: WalletActor, request: EntryRequest): void {
    this.pay(wallet, request);
    this.dso.settle();
  }

  /** Collects the wallet's payment whatever the name is: the ledger takes any text, only the SVs are choosy. */
  collectAnyway(wallet: WalletActor, request: EntryRequest): void {
    const reference = this.pay(wallet, request);
    const payment = this.network
      .active(SubscriptionInitialPayment)
      .find(({ payload }) => payload.reference === reference);
    const contextCid = this.dso.contextOf(reference);
    const decision = this.dso
      .decideInitialPayments()
      .find(({ paymentCid }) => paymentCid === payment?.contractId);
    if (contextCid === undefined || decision === undefined || decision.kind === "leave")
      throw new Error(`${request.name} is not paid for`);
    this.dso.carryOut({ ...decision, kind: "collect" });
  }

  /** Renews every name of the wallet that may be renewed. */
  renew(wallet: WalletActor): void {
    this.dso.advanceRounds();
    wallet.tap(decimal("1000.0"));
    for (const { contractId, payload } of this.network.active(SubscriptionIdleState, this.network.dso)) {
      if (payload.subscriptionData.sender === wallet.party) wallet.payRenewal(contractId);
    }
    this.dso.settle();
  }

  /** The contract of a name that expires last. */
  entry(name: string) {
    const last = this.entries(name).at(-1);
    if (last === undefined) throw new Error(`${name} is not registered`);
    return last;
  }

  /** The contracts of a name, the one that expires first in front. */
  entries(name: string) {
    return this.network
      .active(AnsEntry, this.network.dso)
      .filter(({ payload }) => payload.name === name)
      .toSorted((a, b) => Number(a.payload.expiresAt - b.payload.expiresAt));
  }
}

/** The world's log on disk and a node that follows it, until the test is over. */
export class ScannedWorld extends NameWorld {
  readonly folder: string;
  readonly log: NetworkLog;
  readonly node: ScanReplica;

  constructor(options: FoundingOptions & ScanReplicaOptions = {}, atEnd: AtEnd = onTestFinished) {
    super(options);
    this.folder = temporaryFolder(atEnd);
    this.log = new NetworkLog(join(this.folder, "log.db"), this.network);
    this.node = openScanReplica(this.log.log, join(this.folder, "replica.db"), options);
    atEnd(async () => {
      this.node.close();
      await this.log.close();
    });
  }

  /** Brings the node to where the network is. */
  async scan(): Promise<ScanReplica> {
    await this.log.append();
    await this.node.catchUp();
    return this.node;
  }

  async findByName(name: string): Promise<unknown> {
    const { index } = await this.scan();
    return shown(index.names.findByName(name, index.now));
  }

  async findByParty(party: Parameters<ScanReplica["index"]["names"]["findByParty"]>[0]): Promise<unknown> {
    const { index } = await this.scan();
    return shown(index.names.findByParty(party, index.now));
  }

  /** The names of a page. */
  async list(prefix: string, limit = 1000): Promise<readonly string[]> {
    const { index } = await this.scan();
    return index.names.listByPrefix(prefix, index.now, limit).map((json) => JSON.parse(json).name);
  }
}

/** The entry of an answer, or why there is none. */
export function shown(answer: NameAnswer): unknown {
  return answer.kind === "found" ? JSON.parse(answer.answer).entry : answer.kind;
}
