/**
 * The accounts of the simulated economy, users and the operators of their validators: how they pay, and what they
 * can put into a payment. Every payment mints what is due, as wallets do.
 */
import { ValidatorRight } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { DevelopmentFundCoupon } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/development-fund.ts";
import { UnclaimedActivityRecord } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import type {
  TransferContext,
  TransferInput,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import {
  Amulet,
  type AmuletOperation,
  AmuletRules,
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  type Command,
  type ContractId,
  exerciseCommand,
  type Outcome,
  type PartyId,
  type PayloadOf,
  SvRewardCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  WalletAppInstall,
} from "../../../packages/ledger/src/index.ts";
import { issuingRounds } from "../../../packages/ledger/testing/round-coupons.ts";
import type { SimulatedMember } from "../../../packages/ledger/testing/simulated-network.ts";
import { usableRound } from "../../../packages/ledger/testing/wallet-actor.ts";
import type { DelayedNetwork } from "../delayed-network.ts";

/** As many inputs as a transfer may have. */
const MOST_INPUTS = 100;

/** Inputs for a transfer, with the contracts it needs for them. */
interface Funds {
  readonly inputs: readonly TransferInput[];
  readonly context: TransferContext;
  readonly disclose: readonly ContractId[];
}

export class Account {
  readonly network: DelayedNetwork;
  readonly member: SimulatedMember;
  readonly party: PartyId;

  constructor(network: DelayedNetwork, member: SimulatedMember, party: PartyId) {
    this.network = network;
    this.member = member;
    this.party = party;
  }

  get isOperator(): boolean {
    return this.party === this.member.party;
  }

  /** Runs wallet operations with everything this party has. */
  batch(operations: readonly AmuletOperation[], disclose: readonly ContractId[] = []): Outcome {
    const { amuletRules } = this;
    const { inputs, context, disclose: known } = this.funds();
    const argument = { context: { amuletRules, context }, inputs, operations };
    const choice = "WalletAppInstall_ExecuteBatch";
    return this.byInstall(
      (install) => exerciseCommand(WalletAppInstall, install, choice, argument),
      [...known, ...disclose],
    );
  }

  /** All coins and all rewards that are due become one coin, by a transfer to oneself. */
  mint(): Outcome | null {
    const { inputs, context, disclose } = this.funds();
    if (inputs.length === 0) return null;
    const transfer = { sender: this.party, provider: this.party, inputs, outputs: [], beneficiaries: null };
    const argument = { transfer, context, expectedDso: this.network.dso };
    const command = exerciseCommand(AmuletRules, this.amuletRules, "AmuletRules_Transfer", argument);
    return this.submitAs([this.party], [command], disclose);
  }

  /** A choice that the validator makes for the user. */
  byInstall(command: (install: ContractId) => Command, disclose: readonly ContractId[] = []): Outcome {
    return this.submitAs([this.member.party], [command(this.install)], disclose);
  }

  submit(commands: readonly Command[], disclose: readonly ContractId[] = []): Outcome {
    return this.submitAs([this.party], commands, disclose);
  }

  /** Members read for all their users. */
  submitAs(
    actAs: readonly PartyId[],
    commands: readonly Command[],
    disclose: readonly ContractId[] = [],
  ): Outcome {
    const { network, member } = this;
    const readAs = [...new Set([this.party, ...this.#users()])].filter((party) => !actAs.includes(party));
    const unique = [...new Set(disclose)];
    return network.submit(member, { actAs: [...new Set(actAs)], readAs, commands, disclose: unique });
  }

  get install(): ContractId {
    const found = this.network
      .active(WalletAppInstall, this.party)
      .find(({ payload }) => payload.endUserParty === this.party && payload.dsoParty === this.network.dso);
    if (found === undefined) throw new Error(`${this.party} has no wallet`);
    return found.contractId;
  }

  get amuletRules(): ContractId {
    return this.network.only(AmuletRules).contractId;
  }

  /** Coins first, then the rewards of rounds that issue now, then what belongs to no round. */
  funds(): Funds {
    const { network } = this;
    const issuingMiningRounds = issuingRounds(network.ofDso);
    const rounds = new Set(issuingMiningRounds.map(([{ number }]) => number));
    const rights = this.#rights();
    const due = (coupon: { readonly round: { readonly number: bigint } }) => rounds.has(coupon.round.number);
    const coupons: TransferInput[] = [
      ...this.#own(
        AppRewardCoupon,
        (coupon) => due(coupon) && (coupon.beneficiary ?? coupon.provider) === this.party,
      ).map((value) => ({ tag: "InputAppRewardCoupon", value }) as const),
      ...this.#own(ValidatorRewardCoupon, (coupon) => due(coupon) && rights.has(coupon.user)).map(
        (value) => ({ tag: "InputValidatorRewardCoupon", value }) as const,
      ),
      ...this.#own(SvRewardCoupon, (coupon) => due(coupon) && coupon.beneficiary === this.party).map(
        (value) => ({ tag: "InputSvRewardCoupon", value }) as const,
      ),
      ...this.#own(
        ValidatorLivenessActivityRecord,
        (coupon) => due(coupon) && coupon.validator === this.party,
      ).map((value) => ({ tag: "InputValidatorLivenessActivityRecord", value }) as const),
      ...this.#own(UnclaimedActivityRecord, ({ beneficiary, expiresAt }) => {
        return beneficiary === this.party && expiresAt > network.now + 1n;
      }).map((value) => ({ tag: "InputUnclaimedActivityRecord", value }) as const),
      ...this.#own(DevelopmentFundCoupon, ({ beneficiary, expiresAt }) => {
        return beneficiary === this.party && expiresAt > network.now + 1n;
      }).map((value) => ({ tag: "InputDevelopmentFundCoupon", value }) as const),
    ];
    const coins = this.#own(Amulet, ({ owner }) => owner === this.party).map(
      (value) => ({ tag: "InputAmulet", value }) as const,
    );
    const openMiningRound = usableRound(network);
    return {
      inputs: [...coins, ...coupons].slice(0, MOST_INPUTS),
      context: { openMiningRound, issuingMiningRounds, validatorRights: [...rights], featuredAppRight: null },
      disclose: [this.amuletRules, openMiningRound, ...issuingMiningRounds.map(([, cid]) => cid)],
    };
  }

  #own<T extends AnyTemplateDeclaration>(
    template: T,
    isOwn: (payload: PayloadOf<T>) => boolean,
  ): readonly ContractId[] {
    return this.network
      .active(template, this.network.dso)
      .filter(({ payload }) => isOwn(payload))
      .map(({ contractId }) => contractId);
  }

  /** By user, in the order of parties: the rights to mint their validator's rewards. */
  #rights(): ReadonlyMap<PartyId, ContractId> {
    const rights = this.network
      .active(ValidatorRight, this.party)
      .filter(({ payload }) => payload.validator === this.party && payload.dso === this.network.dso);
    const sorted = rights.toSorted((a, b) => (a.payload.user < b.payload.user ? -1 : 1));
    return new Map(sorted.map(({ payload, contractId }) => [payload.user, contractId]));
  }

  #users(): readonly PartyId[] {
    if (!this.isOperator) return [];
    return this.network
      .active(WalletAppInstall, this.party)
      .filter(({ payload }) => payload.validatorParty === this.party)
      .map(({ payload }) => payload.endUserParty);
  }
}
