/**
 * The story behind the golden log of protocol version 5: a network of version 4 activates it, and parties choose the names that
 * they are called by: too early, in another's name, a name of another, twice, and names that end and are bought again.
 */
import { PrimaryName } from "../../packages/ledger/src/contracts/callsign-names/declarations/primary-name.ts";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { NameStage } from "./name-stage.ts";

const [ANN, ANNE] = ["ann.unverified.cns", "anne.unverified.cns"] as const;

export function tellPrimaryNameStory(): readonly LogEntry[] {
  return new PrimaryNameStory().tell();
}

class PrimaryNameStory extends NameStage {
  constructor() {
    super({ terms: { protocolVersion: 4n } });
  }

  tell(): readonly LogEntry[] {
    const [ann, ben] = [this.ann, this.ben];
    ann.tap(decimal("5000.0"));
    this.buy(ANN);
    ann.setPrimaryName(this.#entry(ANN));
    this.activate(5n);
    ann.setPrimaryName(this.#entry(ANN));
    ben.setPrimaryName(this.#entry(ANN), ann.party);
    ben.setPrimaryName({ ...this.#entry(ANN), name: "b".repeat(61) });
    ben.setPrimaryName(this.#entry(ANN));
    this.buy(ANNE);
    ben.changePrimaryName(this.#primaryOf(ann), this.#entry(ANNE));
    ann.changePrimaryName(this.#primaryOf(ann), this.#entry(ANNE));
    ben.removePrimaryName(this.#primaryOf(ben));
    this.renew();
    ann.changePrimaryName(this.#primaryOf(ann), this.#entry(ANNE));
    ann.setPrimaryName(this.#entry(ANN));
    ann.removePrimaryName(this.#primaryOf(ann));
    this.network.advance(200n * DAY);
    this.dso.settle();
    this.buy(ANN);
    ann.changePrimaryName(this.#primaryOf(ann), this.#entry(ANN));
    ben.removePrimaryName(this.#primaryOf(ann));
    const last = this.#primaryOf(ann);
    for (let i = 0; i < 2; i++) ann.removePrimaryName(last);
    return this.network.log;
  }

  #entry(name: string): AnsEntry {
    const found = this.network.active(AnsEntry).find(({ payload }) => payload.name === name);
    if (found === undefined) throw new Error(`nobody has ${name}`);
    return found.payload;
  }

  #primaryOf({ party }: WalletActor): ContractId {
    const found = this.network.active(PrimaryName).find(({ payload }) => payload.user === party);
    if (found === undefined) throw new Error(`${party} has chosen no name`);
    return found.contractId;
  }
}
