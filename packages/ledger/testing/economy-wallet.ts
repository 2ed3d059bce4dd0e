/** A wallet on a simulated network that earns and mints rewards, and buys traffic: what WalletActor leaves out. */
import {
  Amulet,
  FeaturedAppRight,
  ValidatorRight,
} from "../src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { DevelopmentFundCoupon } from "../src/contracts/splice-amulet/declarations/development-fund.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  ValidatorRewardCoupon,
} from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import type { TransferContext, TransferInput } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import {
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
} from "../src/contracts/splice-amulet/declarations/validator-license.ts";
import { createCommand, exerciseCommand } from "../src/engine/command.ts";
import type { AnyTemplateDeclaration, ArgumentOf, ChoiceName, PayloadOf } from "../src/engine/declaration.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { usableRound } from "./open-rounds.ts";
import { issuingRounds } from "./round-coupons.ts";
import type { ActiveContract, SimulatedMember } from "./simulated-network.ts";
import type { WalletHost } from "./wallet-actor.ts";

type RulesChoices = (typeof AmuletRules)["choices"];

/** One party and the member that hosts it. */
export class EconomyWallet<Result = Outcome> {
  readonly network: WalletHost<Result>;
  readonly member: SimulatedMember;
  readonly party: PartyId;

  constructor(network: WalletHost<Result>, member: SimulatedMember, party: PartyId = member.party) {
    this.network = network;
    this.member = member;
    this.party = party;
  }

  /** Lets the validator mint what the burns of this party earn. */
  giveRight(validator: PartyId): Result {
    const { network, party, member } = this;
    const right = createCommand(ValidatorRight, { dso: network.dso, user: party, validator });
    return network.submit(member, { actAs: [...new Set([party, validator])], commands: [right] });
  }

  feature(): Result {
    return this.exercise("AmuletRules_DevNet_FeatureApp", { provider: this.party });
  }

  /** A validator says that it is up, for the newest round that is open. */
  reportLiveness(): Result {
    const { network, party, member } = this;
    const license = this.#mine(ValidatorLicense, ({ validator }) => validator).at(-1);
    if (license === undefined) throw new Error(`${party} has no licence`);
    const openRoundCid = usableRound(network);
    const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
    return network.submit(member, {
      actAs: [party],
      commands: [exerciseCommand(ValidatorLicense, license.contractId, choice, { openRoundCid })],
      disclose: [openRoundCid],
    });
  }

  buyTraffic(memberId: string, trafficAmount: bigint, inputs: readonly TransferInput[]): Result {
    const { synchronizerId, migrationId } = this.network.network;
    return this.exercise("AmuletRules_BuyMemberTraffic", {
      inputs,
      context: this.context(),
      provider: this.party,
      memberId,
      synchronizerId,
      migrationId,
      trafficAmount,
      expectedDso: this.network.dso,
    });
  }

  /** A transfer to itself; what is minted comes out as change. */
  mint(inputs: readonly TransferInput[] = this.rewards()): Result {
    const { party, network } = this;
    const transfer = { sender: party, provider: party, inputs, outputs: [], beneficiaries: null };
    const argument = { transfer, context: this.context(), expectedDso: network.dso };
    return this.exercise("AmuletRules_Transfer", argument);
  }

  /** Everything of this party's that can be minted now: rewards of rounds that issue, then what belongs to no round. */
  rewards(): readonly TransferInput[] {
    const issuing = new Set(issuingRounds(this.network.ofDso).map(([{ number }]) => number));
    const ripe = <P extends { readonly round: { readonly number: bigint } }>(
      contracts: readonly { readonly contractId: ContractId; readonly payload: P }[],
    ) => contracts.filter(({ payload }) => issuing.has(payload.round.number));
    const rights = this.#rights().map(([user]) => user);
    const burns = this.network
      .active(ValidatorRewardCoupon, this.network.dso)
      .filter(({ payload }) => rights.includes(payload.user));
    const apps = this.#mine(AppRewardCoupon, ({ provider, beneficiary }) => beneficiary ?? provider);
    return [
      ...inputs("InputAppRewardCoupon", ripe(apps)),
      ...inputs("InputValidatorRewardCoupon", ripe(burns)),
      ...inputs("InputSvRewardCoupon", ripe(this.#mine(SvRewardCoupon, ({ beneficiary }) => beneficiary))),
      ...inputs(
        "InputValidatorLivenessActivityRecord",
        ripe(this.#mine(ValidatorLivenessActivityRecord, ({ validator }) => validator)),
      ),
      ...inputs("InputUnclaimedActivityRecord", this.#lasting(UnclaimedActivityRecord)),
      ...inputs("InputDevelopmentFundCoupon", this.#lasting(DevelopmentFundCoupon)),
    ];
  }

  coins(): readonly TransferInput[] {
    return inputs(
      "InputAmulet",
      this.#mine(Amulet, ({ owner }) => owner),
    );
  }

  context(): TransferContext {
    const [featured] = this.#mine(FeaturedAppRight, ({ provider }) => provider);
    return {
      openMiningRound: usableRound(this.network),
      issuingMiningRounds: issuingRounds(this.network.ofDso),
      validatorRights: this.#rights(),
      featuredAppRight: featured?.contractId ?? null,
    };
  }

  /** A choice of the coin's rules, with everything disclosed that a context can name. */
  exercise<C extends ChoiceName<typeof AmuletRules>>(
    choice: C,
    argument: ArgumentOf<RulesChoices[C]>,
    actAs: readonly PartyId[] = [this.party],
  ): Result {
    const { network, member } = this;
    const rules = network.only(AmuletRules).contractId;
    return network.submit(member, {
      actAs,
      // A coupon for a burn is shown to the user who burned.
      readAs: this.#rights().map(([user]) => user),
      commands: [exerciseCommand(AmuletRules, rules, choice, argument)],
      disclose: [rules, ...this.disclosed()],
    });
  }

  disclosed(): readonly ContractId[] {
    const { openMiningRound, issuingMiningRounds } = this.context();
    return [openMiningRound, ...issuingMiningRounds.map(([, cid]) => cid)];
  }

  /** In the order of the users' names, as the context's map has them. */
  #rights(): TransferContext["validatorRights"] {
    const { network, party } = this;
    const rights = network
      .active(ValidatorRight, party)
      .filter(({ payload }) => payload.dso === network.dso && payload.validator === party)
      .map(({ contractId, payload }) => [payload.user, contractId] as const);
    return [...new Map(rights)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Records of this party's that do not expire before the next entry. */
  #lasting(template: typeof UnclaimedActivityRecord | typeof DevelopmentFundCoupon) {
    const mine = this.#mine(template, ({ beneficiary }) => beneficiary);
    return mine.filter(({ payload }) => payload.expiresAt > this.network.now + 1n);
  }

  #mine<T extends AnyTemplateDeclaration>(
    template: T,
    ownerOf: (payload: PayloadOf<T>) => PartyId,
  ): readonly ActiveContract<T>[] {
    const { network, party } = this;
    return network.active(template, network.dso).filter(({ payload }) => ownerOf(payload) === party);
  }
}

type CouponTag = Exclude<TransferInput["tag"], "ExtTransferInput">;

function inputs(
  tag: CouponTag,
  contracts: readonly { readonly contractId: ContractId }[],
): readonly TransferInput[] {
  return contracts.map(({ contractId }) => ({ tag, value: contractId }));
}
