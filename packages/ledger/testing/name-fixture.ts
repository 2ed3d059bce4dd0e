/**
 * The sandbox network with the name service: AnsRules with the defaults of a new network. The DSO acts for
 * itself here, as no client can on a real network, where its authority comes from contracts it signed.
 */

import type { PaymentTransferContext } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import {
  AnsEntryContext,
  AnsRules,
  type AnsRulesConfig,
} from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { defaultAnsConfig } from "../src/contracts/splice-amulet-name-service/default-ans-config.ts";
import type { AmuletOperation } from "../src/contracts/splice-wallet/declarations/amulet-operation.ts";
import { WalletAppInstall } from "../src/contracts/splice-wallet/declarations/install.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import type { NetworkTerms } from "./network-fixture.ts";
import type { RoundWithId } from "./open-rounds.ts";
import type { Submitting } from "./sandbox.ts";
import { alice, inputAmulet, SubscriptionNetwork, validator } from "./subscription-fixture.ts";

/** One dollar at the first price of 0.005. */
export const FEE_IN_COIN = "200.0";

export const aliceEntry = {
  name: "alice.unverified.cns",
  url: "https://alice.example",
  description: "Alice",
} as const;

export interface EntryTexts {
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

/** A registered name: the contracts of it that stand now. */
export interface RegisteredName {
  readonly contextCid: ContractId;
  readonly entryCid: ContractId;
  readonly idleStateCid: ContractId;
}

export class NameNetwork extends SubscriptionNetwork {
  readonly ansRules: ContractId;

  constructor(options: NetworkTerms & { readonly ansConfig?: Partial<AnsRulesConfig> } = {}) {
    super(options);
    const config = { ...defaultAnsConfig, ...options.ansConfig };
    this.ansRules = this.sandbox.create(AnsRules, { dso: this.dso, config }, { actAs: [this.dso] });
  }

  requestEntry(content: Partial<EntryTexts> = {}, user: PartyId = alice) {
    const argument = { ...aliceEntry, ...content, user };
    const as = { actAs: [user], disclose: [this.ansRules] };
    return this.sandbox.exercise(AnsRules, this.ansRules, "AnsRules_RequestEntry", argument, as);
  }

  /** Taps a coin of exactly the fee and locks it. */
  acceptRequest(requestCid: ContractId, sender: PartyId = alice): ContractId {
    return this.accept(requestCid, { inputs: [this.tap(sender, FEE_IN_COIN)], sender }).subscriptionPayment;
  }

  collectAsDso(contextCid: ContractId, paymentCid: ContractId, round?: RoundWithId) {
    const argument = { paymentCid, transferContext: this.appContext(round), ansRulesCid: this.ansRules };
    const choice = "AnsEntryContext_CollectInitialEntryPayment";
    return this.sandbox.exercise(AnsEntryContext, contextCid, choice, argument, { actAs: [this.dso] });
  }

  rejectAsDso(contextCid: ContractId, paymentCid: ContractId, round?: RoundWithId) {
    const argument = { paymentCid, transferContext: this.appContext(round), ansRulesCid: this.ansRules };
    const choice = "AnsEntryContext_RejectEntryInitialPayment";
    return this.sandbox.exercise(AnsEntryContext, contextCid, choice, argument, { actAs: [this.dso] });
  }

  /** From the request to the entry, all at this moment. */
  register(content: Partial<EntryTexts> = {}, user: PartyId = alice): RegisteredName {
    const { entryCid: contextCid, requestCid } = this.requestEntry(content, user);
    const collected = this.collectAsDso(contextCid, this.acceptRequest(requestCid, user));
    return { contextCid, entryCid: collected.entryCid, idleStateCid: collected.subscriptionStateCid };
  }

  /** Taps a coin of exactly the fee and locks it for the next interval. */
  payRenewal(idleStateCid: ContractId, sender: PartyId = alice): ContractId {
    return this.makePayment(idleStateCid, { inputs: [this.tap(sender, FEE_IN_COIN)], sender })
      .subscriptionPayment;
  }

  collectRenewalAsDso(
    { contextCid, entryCid }: Pick<RegisteredName, "contextCid" | "entryCid">,
    paymentCid: ContractId,
    round?: RoundWithId,
  ) {
    const transferContext = this.appContext(round);
    const argument = { paymentCid, entryCid, transferContext, ansRulesCid: this.ansRules };
    const choice = "AnsEntryContext_CollectEntryRenewalPayment";
    return this.sandbox.exercise(AnsEntryContext, contextCid, choice, argument, { actAs: [this.dso] });
  }

  /** Pays and collects at this moment. */
  renew({ contextCid, entryCid, idleStateCid }: RegisteredName, sender: PartyId = alice): RegisteredName {
    const paymentCid = this.payRenewal(idleStateCid, sender);
    const renewed = this.collectRenewalAsDso({ contextCid, entryCid }, paymentCid);
    return { contextCid, entryCid: renewed.entryCid, idleStateCid: renewed.subscriptionStateCid };
  }

  installWallet(user: PartyId = alice, validatorParty: PartyId = validator): ContractId {
    return this.sandbox.create(
      WalletAppInstall,
      { dsoParty: this.dso, validatorParty, endUserName: "alice-wallet", endUserParty: user },
      { actAs: [user, validatorParty] },
    );
  }

  /** As the validator's wallet submits: acting as the validator alone, reading as the user. */
  asWallet(user: PartyId = alice): Submitting {
    return { ...this.as(validator), readAs: [user] };
  }

  executeBatch(
    installCid: ContractId,
    batch: {
      readonly inputs?: readonly ContractId[];
      readonly operations: readonly AmuletOperation[];
      readonly context?: PaymentTransferContext;
      readonly as?: Submitting;
    },
  ) {
    const { inputs = [], operations, context = this.paymentContext(), as = this.asWallet() } = batch;
    const argument = { context, inputs: inputs.map(inputAmulet), operations };
    return this.sandbox.exercise(WalletAppInstall, installCid, "WalletAppInstall_ExecuteBatch", argument, as);
  }
}
