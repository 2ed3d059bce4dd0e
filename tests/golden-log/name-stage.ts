/** The actors of stories about names: two users of one validator, of whom Ann buys names. */
import {
  SubscriptionIdleState,
  SubscriptionRequest,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import { type FoundingOptions, SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";

export class NameStage {
  readonly network: SimulatedNetwork;
  readonly dso: DsoActor;
  readonly ann: WalletActor;
  readonly ben: WalletActor;

  constructor(options: FoundingOptions) {
    this.network = new SimulatedNetwork(options);
    this.dso = new DsoActor(this.network);
    const member = this.network.registerMember("north");
    this.ann = new WalletActor(this.network, member, "ann");
    this.ben = new WalletActor(this.network, member, "ben");
  }

  buy(name: string): void {
    this.ann.requestEntry({ name, url: "https://ann.example", description: "Ann" });
    this.ann.accept(this.network.only(SubscriptionRequest).contractId);
    this.dso.settle();
  }

  /** All names of Ann's. */
  renew(): void {
    this.network.advance(80n * DAY);
    this.dso.settle();
    for (const { contractId } of this.network.active(SubscriptionIdleState)) this.ann.payRenewal(contractId);
    this.dso.settle();
  }

  activate(version: bigint): void {
    const { svs } = this.network;
    const value = { ...this.network.once(svs[0]?.id ?? ""), version };
    this.network.append(
      { tag: "ActivateVersion", value },
      svs.map(({ signingKey }) => signingKey),
    );
  }
}
