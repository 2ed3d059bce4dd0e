/** A validator with its users, over a simulated network: what a wallet does, one submission a call. */

import { RenewalPreference } from "../src/contracts/callsign-names/declarations/names.ts";
import { PrimaryName } from "../src/contracts/callsign-names/declarations/primary-name.ts";
import { TakeUpRequest } from "../src/contracts/callsign-names/declarations/take-up.ts";
import { Amulet, LockedAmulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import type {
  AppTransferContext,
  PaymentTransferContext,
  TransferInput,
  TransferOutput,
} from "../src/contracts/splice-amulet/declarations/transfer.ts";
import { AnsEntry, AnsRules } from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { entryTerms } from "../src/contracts/splice-amulet-name-service/entry-terms.ts";
import type { AmuletOperation } from "../src/contracts/splice-wallet/declarations/amulet-operation.ts";
import { WalletAppInstall } from "../src/contracts/splice-wallet/declarations/install.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from "../src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { type Command, createCommand, exerciseCommand } from "../src/engine/command.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { type Decimal, sum } from "../src/values/decimal.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { usableRound } from "./open-rounds.ts";
import type { SimulatedMember, SimulatedNetwork, Submission } from "./simulated-network.ts";

export interface EntryRequest {
  readonly name: string;
  readonly url?: string;
  readonly description?: string;
}

/** The network that wallets submit to: a simulated one, whose outcomes come at once, or one whose outcomes are promised. */
export interface WalletHost<Result>
  extends Pick<SimulatedNetwork, "dso" | "now" | "network" | "active" | "only" | "ofDso"> {
  readonly submit: (member: SimulatedMember, submission: Submission) => Result;
}

/** One user of a validator, whose wallet is installed. */
export class InstalledWallet<Result> {
  readonly network: WalletHost<Result>;
  readonly member: SimulatedMember;
  readonly party: PartyId;
  readonly #install: ContractId;

  constructor(
    network: WalletHost<Result>,
    member: SimulatedMember,
    { party, install }: { readonly party: PartyId; readonly install: Outcome },
  ) {
    this.network = network;
    this.member = member;
    this.party = party;
    const [created] = install.created;
    if (created === undefined) throw new Error(`the wallet of ${party} could not be installed`);
    this.#install = created.contract.contractId;
  }

  coins(): readonly { readonly contractId: ContractId; readonly amount: Decimal }[] {
    return this.network
      .active(Amulet, this.network.dso)
      .filter(({ payload }) => payload.owner === this.party)
      .map(({ contractId, payload }) => ({ contractId, amount: payload.amount.initialAmount }));
  }

  balance(): Decimal {
    return sum(this.coins().map(({ amount }) => amount));
  }

  locked(): Decimal {
    const mine = this.network
      .active(LockedAmulet, this.network.dso)
      .filter(({ payload }) => payload.amulet.owner === this.party);
    return sum(mine.map(({ payload }) => payload.amulet.amount.initialAmount));
  }

  tap(tapAmount: Decimal): Result {
    return this.batch([{ tag: "CO_Tap", value: { tapAmount } }], []);
  }

  requestEntry({ name, url = "", description = "" }: EntryRequest): Result {
    const rules = this.network.only(AnsRules).contractId;
    const argument = { name, url, description, user: this.party };
    return this.#submitAsUser([exerciseCommand(AnsRules, rules, "AnsRules_RequestEntry", argument)], [rules]);
  }

  accept(request: ContractId, coins?: readonly ContractId[]): Result {
    return this.batch(
      [{ tag: "CO_SubscriptionAcceptAndMakeInitialPayment", value: request }],
      asInputs(coins),
    );
  }

  payRenewal(idleState: ContractId, coins?: readonly ContractId[]): Result {
    return this.batch([{ tag: "CO_SubscriptionMakePayment", value: idleState }], asInputs(coins));
  }

  /** All coins become one. */
  merge(): Result {
    return this.batch([{ tag: "CO_MergeTransferInputs", value: {} }]);
  }

  /** Everybody concerned must be a party of the same member: a transfer needs all of them at once. */
  transfer(outputs: readonly TransferOutput[], coins?: readonly ContractId[]): Result {
    const { amuletRules, context } = this.#paymentContext();
    const inputs = asInputs(coins) ?? this.inputs();
    const concerned = outputs.flatMap(({ receiver, lock }) => [receiver, ...(lock?.holders ?? [])]);
    const transfer = { sender: this.party, provider: this.party, inputs, outputs, beneficiaries: null };
    const argument = { transfer, context, expectedDso: this.network.dso };
    return this.network.submit(this.member, {
      actAs: [...new Set([this.party, ...concerned])],
      commands: [exerciseCommand(AmuletRules, amuletRules, "AmuletRules_Transfer", argument)],
      disclose: [amuletRules, context.openMiningRound],
    });
  }

  rejectRequest(cid: ContractId): Result {
    return this.#submitAsValidator([
      exerciseCommand(WalletAppInstall, this.#install, "WalletAppInstall_SubscriptionRequest_Reject", {
        cid,
      }),
    ]);
  }

  cancelSubscription(cid: ContractId): Result {
    const choice = "WalletAppInstall_SubscriptionIdleState_CancelSubscription";
    return this.#submitAsValidator([exerciseCommand(WalletAppInstall, this.#install, choice, { cid })]);
  }

  /** Asks for a new subscription of an entry, on the terms of the rules. */
  requestTakeUp(entry: { readonly name: string; readonly cid: ContractId }): Result {
    const { dso } = this.network;
    const payData = entryTerms(this.network.only(AnsRules).payload);
    const request = { dso, user: this.party, name: entry.name, entry: entry.cid, payData };
    return this.#submitAsUser([createCommand(TakeUpRequest, request)]);
  }

  withdrawTakeUp(request: ContractId): Result {
    return this.#submitAsUser([exerciseCommand(TakeUpRequest, request, "TakeUpRequest_Withdraw", {})]);
  }

  /** Makes the name of an entry the primary one; beside the PrimaryName there is, if any. */
  setPrimaryName(
    { name, expiresAt }: Pick<AnsEntry, "name" | "expiresAt">,
    user: PartyId = this.party,
  ): Result {
    const { dso } = this.network;
    return this.#submitAsUser([createCommand(PrimaryName, { dso, user, name, expiresAt })]);
  }

  changePrimaryName(primary: ContractId, { name, expiresAt }: Pick<AnsEntry, "name" | "expiresAt">): Result {
    const argument = { name, expiresAt };
    return this.#submitAsUser([exerciseCommand(PrimaryName, primary, "PrimaryName_Set", argument)]);
  }

  removePrimaryName(primary: ContractId): Result {
    return this.#submitAsUser([exerciseCommand(PrimaryName, primary, "PrimaryName_Remove", {})]);
  }

  setAutoRenewal(reference: ContractId, autoRenew: boolean): Result {
    const known = this.network
      .active(RenewalPreference)
      .find(({ payload }) => payload.subscriber === this.party && payload.reference === reference);
    if (known !== undefined) {
      return this.#submitAsUser([
        exerciseCommand(RenewalPreference, known.contractId, "RenewalPreference_Set", { autoRenew }),
      ]);
    }
    const preference = { subscriber: this.party, walletProvider: this.member.party, reference, autoRenew };
    return this.#submitAsUser([createCommand(RenewalPreference, preference)]);
  }

  removePreference(preference: ContractId): Result {
    return this.#submitAsUser([
      exerciseCommand(RenewalPreference, preference, "RenewalPreference_Remove", {}),
    ]);
  }

  /** An owner may end expired contracts without the SVs. */
  expireEntry(entry: ContractId): Result {
    return this.#submitAsUser([exerciseCommand(AnsEntry, entry, "AnsEntry_Expire", { actor: this.party })]);
  }

  expireSubscription(idleState: ContractId): Result {
    const choice = "SubscriptionIdleState_ExpireSubscription";
    return this.#submitAsUser([
      exerciseCommand(SubscriptionIdleState, idleState, choice, { actor: this.party }),
    ]);
  }

  expireInitialPayment(payment: ContractId): Result {
    const transferContext = this.#appContext();
    const argument = { actor: this.party, transferContext };
    const choice = "SubscriptionInitialPayment_Expire";
    return this.#submitAsUser(
      [exerciseCommand(SubscriptionInitialPayment, payment, choice, argument)],
      [transferContext.openMiningRound],
    );
  }

  expireRenewalPayment(payment: ContractId): Result {
    const transferContext = this.#appContext();
    const argument = { actor: this.party, transferContext };
    return this.#submitAsUser(
      [exerciseCommand(SubscriptionPayment, payment, "SubscriptionPayment_Expire", argument)],
      [transferContext.openMiningRound],
    );
  }

  /** Takes coin out of a lock that has run out; a payment that names it can then never end. */
  takeOut(locked: ContractId): Result {
    return this.#submitAsUser([exerciseCommand(LockedAmulet, locked, "LockedAmulet_OwnerExpireLockV2", {})]);
  }

  /** Runs wallet operations with the user's coins as inputs. */
  batch(operations: readonly AmuletOperation[], inputs: readonly TransferInput[] = this.inputs()): Result {
    const context = this.#paymentContext();
    return this.#submitAsValidator(
      [
        exerciseCommand(WalletAppInstall, this.#install, "WalletAppInstall_ExecuteBatch", {
          context,
          inputs,
          operations,
        }),
      ],
      [context.amuletRules, context.context.openMiningRound],
    );
  }

  /** All of its unlocked coins. */
  inputs(): readonly TransferInput[] {
    return this.coins().map(({ contractId }) => ({ tag: "InputAmulet", value: contractId }));
  }

  #paymentContext(): PaymentTransferContext {
    return {
      amuletRules: this.network.only(AmuletRules).contractId,
      context: {
        openMiningRound: usableRound(this.network),
        issuingMiningRounds: [],
        validatorRights: [],
        featuredAppRight: null,
      },
    };
  }

  #appContext(): AppTransferContext {
    const { amuletRules, context } = this.#paymentContext();
    return { amuletRules, openMiningRound: context.openMiningRound, featuredAppRight: null };
  }

  #submitAsUser(commands: readonly Command[], disclose: readonly ContractId[] = []): Result {
    return this.network.submit(this.member, { actAs: [this.party], commands, disclose });
  }

  #submitAsValidator(commands: readonly Command[], disclose: readonly ContractId[] = []): Result {
    const { party } = this.member;
    return this.network.submit(this.member, { actAs: [party], readAs: [this.party], commands, disclose });
  }
}

/** A user whose wallet is installed on a simulated network. */
export class WalletActor extends InstalledWallet<Outcome> {
  constructor(network: SimulatedNetwork, member: SimulatedMember, name: string) {
    const party = network.hostParty(member, name);
    super(network, member, { party, install: network.submit(member, installation(network, member, party)) });
  }
}

/** The user is named as the party's hint is. */
export function installation(
  { dso }: { readonly dso: PartyId },
  { party: validatorParty }: SimulatedMember,
  endUserParty: PartyId,
): Submission {
  const [endUserName = ""] = endUserParty.split("::");
  const wallet = { dsoParty: dso, validatorParty, endUserName, endUserParty };
  return { actAs: [endUserParty, validatorParty], commands: [createCommand(WalletAppInstall, wallet)] };
}

function asInputs(coins: readonly ContractId[] | undefined): readonly TransferInput[] | undefined {
  return coins?.map((contractId) => ({ tag: "InputAmulet", value: contractId }));
}
