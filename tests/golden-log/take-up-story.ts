/**
 * The story behind the third golden log: a network of the first protocol version activates the third one, in which cancelled
 * names are taken up again. Requests come too early, twice, for names of others and too late.
 */
import { TakeUpRequest } from "../../packages/ledger/src/contracts/callsign-names/declarations/take-up.ts";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionIdleState } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { NameStage } from "./name-stage.ts";

const NAME = "ann.unverified.cns";

export function tellTakeUpStory(): readonly LogEntry[] {
  return new TakeUpStory().tell();
}

class TakeUpStory extends NameStage {
  constructor() {
    super({ founding: { protocolVersion: 1n } });
  }

  tell(): readonly LogEntry[] {
    for (const wallet of [this.ann, this.ben]) wallet.tap(decimal("2000.0"));
    this.buy(NAME);
    this.#cancel();
    this.#request(this.ann);
    this.activate(2n);
    this.#request(this.ann);
    this.activate(3n);
    this.activate(3n);
    this.#takeUp(this.#request(this.ben));
    const [first, second] = [this.#request(this.ann), this.#request(this.ann)];
    this.#takeUp(first);
    this.#takeUp(second);
    this.#discard(second);
    this.renew();
    this.#cancel();
    this.network.advance(10n * DAY);
    this.ann.withdrawTakeUp(this.#request(this.ann));
    this.#takeUp(this.#request(this.ann));
    this.#cancel();
    const late = this.#request(this.ann);
    this.network.advance(100n * DAY);
    this.#takeUp(late);
    this.#discard(late);
    this.dso.settle();
    return this.network.log;
  }

  get #sv(): SvActor {
    return this.dso.svs[0] as SvActor;
  }

  #cancel(): void {
    this.ann.cancelSubscription(this.network.only(SubscriptionIdleState).contractId);
    this.dso.settle();
  }

  /** The id of the request, or of the entry if the request was rejected. */
  #request(wallet: WalletActor): ContractId {
    const { contractId: cid, payload } = this.network.only(AnsEntry);
    const { created } = wallet.requestTakeUp({ name: payload.name, cid });
    return (
      created.find(({ contract }) => contract.templateId === TakeUpRequest.id)?.contract.contractId ?? cid
    );
  }

  #takeUp(request: ContractId): void {
    this.#sv.takeUp(request);
  }

  #discard(request: ContractId): void {
    this.#sv.discardTakeUp(request);
  }
}
