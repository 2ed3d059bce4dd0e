/** A network on which rewards are earned and minted, and what they are worth, counted apart from the ledger's sums. */

import {
  AppRewardCoupon,
  SvRewardCoupon,
  ValidatorRewardCoupon,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  IssuingMiningRound,
  OpenMiningRound,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import type { TransferInput } from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import { ValidatorLivenessActivityRecord } from "../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal, multiply } from "../../packages/ledger/src/values/decimal.ts";
import { accept, EconomyDso } from "../../packages/ledger/testing/economy-dso.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import { usableRound } from "../../packages/ledger/testing/open-rounds.ts";
import type { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import type { NameWorld } from "./name-world.ts";

export type Kind = "app" | "validator" | "sv";

export class Economy {
  readonly network: SimulatedNetwork;
  readonly dso: EconomyDso;
  /** The validator itself: it earns for being up and for its users' burns. */
  readonly validator: EconomyWallet;
  /** A user with a featured app. */
  readonly shop: WalletActor;
  readonly app: EconomyWallet;
  readonly svs: readonly EconomyWallet[];
  /** By the round that the minting transfer named. */
  readonly expected = new Map<bigint, Record<Kind, bigint>>();

  constructor(world: NameWorld) {
    const { network, validator } = world;
    this.network = network;
    this.dso = new EconomyDso(world.dso);
    this.validator = new EconomyWallet(network, validator);
    this.shop = world.wallet("shop");
    this.app = new EconomyWallet(network, validator, this.shop.party);
    this.svs = network.svs.map((sv) => new EconomyWallet(network, sv));
    this.dso.onboard(validator.party);
    accept(this.app.feature());
    accept(this.app.giveRight(validator.party));
  }

  get round(): bigint {
    return this.network.find(OpenMiningRound, usableRound(this.network))?.round.number ?? -1n;
  }

  /** A round in which everybody earns something: of apps, validators and SVs. */
  earn(): void {
    accept(this.shop.tap(decimal("3000.0")));
    accept(this.app.buyTraffic(`PAR::${this.validator.member.id}`, 200_000n, this.shop.inputs()));
    this.earnByApp();
    accept(this.validator.reportLiveness());
    this.dso.receiveSvRewards();
  }

  /** One coupon for the app. */
  earnByApp(): void {
    this.#payItself();
    this.dso.convertMarkers();
  }

  /** Notes what the inputs are worth, then has them minted. */
  mint(inputs: readonly TransferInput[], by: (inputs: readonly TransferInput[]) => Outcome): Outcome {
    const round = this.round;
    const sums = this.expected.get(round) ?? { app: 0n, validator: 0n, sv: 0n };
    for (const input of inputs) {
      const [kind, amount] = this.#worth(input);
      if (kind !== null) sums[kind] += amount;
    }
    this.expected.set(round, sums);
    return accept(by(inputs));
  }

  mintAll(): void {
    for (const wallet of [this.validator, this.app, ...this.svs]) {
      const rewards = wallet.rewards();
      if (rewards.length > 0) this.mint(rewards, (inputs) => wallet.mint(inputs));
    }
  }

  /** A featured provider's transfer leaves a marker of its app's activity. */
  #payItself(): void {
    const { party } = this.app;
    const output = { receiver: party, receiverFeeRatio: decimal("0.0"), amount: decimal("1.0"), lock: null };
    const inputs = this.shop.inputs();
    const transfer = { sender: party, provider: party, inputs, outputs: [output], beneficiaries: null };
    const argument = { transfer, context: this.app.context(), expectedDso: this.network.dso };
    accept(this.app.exercise("AmuletRules_Transfer", argument));
  }

  #worth(input: TransferInput): readonly [Kind | null, bigint] {
    const { network } = this;
    const issuing = (round: { readonly number: bigint }) => {
      const found = network
        .active(IssuingMiningRound, network.dso)
        .find(({ payload }) => payload.round.number === round.number);
      if (found === undefined) throw new Error(`round ${round.number} issues nothing`);
      return found.payload;
    };
    const cid = input.value as ContractId;
    switch (input.tag) {
      case "InputAppRewardCoupon": {
        const coupon = need(network.find(AppRewardCoupon, cid));
        const { issuancePerFeaturedAppRewardCoupon: per } = issuing(coupon.round);
        return ["app", multiply(coupon.amount, per)];
      }
      case "InputValidatorRewardCoupon": {
        const coupon = need(network.find(ValidatorRewardCoupon, cid));
        return ["validator", multiply(coupon.amount, issuing(coupon.round).issuancePerValidatorRewardCoupon)];
      }
      case "InputSvRewardCoupon": {
        const coupon = need(network.find(SvRewardCoupon, cid));
        return ["sv", coupon.weight * issuing(coupon.round).issuancePerSvRewardCoupon];
      }
      case "InputValidatorLivenessActivityRecord": {
        const record = need(network.find(ValidatorLivenessActivityRecord, cid));
        return ["validator", issuing(record.round).optIssuancePerValidatorFaucetCoupon ?? 0n];
      }
      default:
        return [null, 0n];
    }
  }
}

function need<T>(found: T | null): T {
  if (found === null) throw new Error("there is no such coupon");
  return found;
}
