/**
 * The contracts of a wallet: the owner of each, and the keys by which it is found besides its id. A contract is shown
 * to its owner and used for its owner alone, whoever else may see it on the ledger. Anybody can create coin or names in
 * which they themselves are the DSO: so the DSO that a contract names is one of the keys.
 */
import {
  AcceptedAppPayment,
  AcceptedTransferOffer,
  Amulet,
  AmuletAllocation,
  AmuletTransferInstruction,
  AnsEntry,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  AppPaymentRequest,
  AppRewardCoupon,
  BuyTrafficRequest,
  DevelopmentFundCoupon,
  FeaturedAppRight,
  LockedAmulet,
  MIN_TIME,
  MintingDelegation,
  MintingDelegationProposal,
  type PayloadOf,
  PrimaryName,
  RenewalPreference,
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  SvRewardCoupon,
  TransferOffer,
  TransferPreapproval,
  TransferPreapprovalProposal,
  UnclaimedActivityRecord,
  ValidatorFaucetCoupon,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
  ValidatorTopUpState,
  WalletAppInstall,
} from "@callsign/ledger";
import { PREAPPROVAL_RENEWAL_MICROSECONDS } from "../limits/limits.ts";

/** The keys of a contract in the store. */
export interface ContractKeys {
  readonly owner: string;
  /** The DSO that it names; null if it names none. */
  readonly dso: string | null;
  /** Another contract's id or another party, by which contracts of this kind are found. */
  readonly link: string;
  /** The name of an entry or a user, the round of a reward, or a switch. */
  readonly name: string;
  /** The first and the last time at which a subscription may be paid, in microseconds. */
  readonly payableFrom: bigint | null;
  readonly payableUntil: bigint | null;
  /** The time at which another automation has a task with it, in microseconds. */
  readonly dueAt: bigint | null;
}

/** The name of a preference that switches a subscription's renewal off. */
export const RENEWAL_OFF = "off";

interface Kind {
  readonly template: AnyTemplateDeclaration;
  readonly keysOf: (payload: never) => ContractKeys;
}

function kind<T extends AnyTemplateDeclaration>(
  template: T,
  find: (payload: PayloadOf<T>) => ContractKeys,
): Kind {
  return { template, keysOf: find as Kind["keysOf"] };
}

interface MoreKeys {
  readonly link?: string;
  readonly name?: string;
  readonly dueAt?: bigint;
}

function keysOf(
  owner: string,
  dso: string | null,
  { link = "", name = "", dueAt }: MoreKeys = {},
): ContractKeys {
  return { owner, dso, link, name, payableFrom: null, payableUntil: null, dueAt: dueAt ?? null };
}

/** Rewards are minted when their round issues; until then they have a deadline that is past. */
function ofRound({ number }: { readonly number: bigint }): MoreKeys {
  return { name: String(number), dueAt: 0n };
}

interface Subscribed {
  readonly subscriptionData: { readonly sender: string; readonly dso: string };
}

function keysForSender({ subscriptionData: { sender, dso } }: Subscribed, link = ""): ContractKeys {
  return keysOf(sender, dso, { link });
}

/** A subscription's parties may write down any duration: the difference need not be a time, nor fit in a column. */
export function firstPayableAt({
  nextPaymentDueAt,
  payData,
}: PayloadOf<typeof SubscriptionIdleState>): bigint {
  const from = nextPaymentDueAt - payData.paymentDuration.microseconds;
  return from < MIN_TIME ? MIN_TIME : from;
}

const kinds: readonly Kind[] = [
  kind(WalletAppInstall, ({ endUserParty, endUserName, dsoParty, validatorParty }) =>
    keysOf(endUserParty, dsoParty, { name: endUserName, link: validatorParty }),
  ),
  kind(ValidatorRight, ({ user, validator, dso }) => keysOf(user, dso, { link: validator })),
  kind(ValidatorLicense, ({ validator, dso }) => keysOf(validator, dso)),
  kind(ValidatorTopUpState, ({ validator, dso }) => keysOf(validator, dso)),
  kind(Amulet, ({ owner, dso }) => keysOf(owner, dso)),
  kind(LockedAmulet, ({ amulet }) => keysOf(amulet.owner, amulet.dso)),
  kind(SubscriptionRequest, (request) => keysForSender(request)),
  kind(SubscriptionInitialPayment, (payment) => keysForSender(payment, payment.reference)),
  kind(Subscription, (subscription) => keysForSender(subscription, subscription.reference)),
  kind(SubscriptionIdleState, (idle) => ({
    ...keysForSender(idle, idle.subscription),
    payableFrom: firstPayableAt(idle),
    payableUntil: idle.nextPaymentDueAt,
  })),
  kind(SubscriptionPayment, (payment) => keysForSender(payment, payment.subscription)),
  kind(AnsEntryContext, ({ user, dso, reference, name }) => keysOf(user, dso, { link: reference, name })),
  kind(AnsEntry, ({ user, dso, name, expiresAt }) => keysOf(user, dso, { name, dueAt: expiresAt })),
  kind(RenewalPreference, ({ subscriber, reference, autoRenew }) =>
    keysOf(subscriber, null, { link: reference, name: autoRenew ? "" : RENEWAL_OFF }),
  ),
  // Lookups show an entry up to and including the microsecond at which it expires.
  kind(PrimaryName, ({ user, dso, expiresAt }) => keysOf(user, dso, { dueAt: expiresAt + 1n })),
  kind(AppRewardCoupon, ({ provider, beneficiary, dso, round }) =>
    keysOf(beneficiary ?? provider, dso, ofRound(round)),
  ),
  kind(ValidatorRewardCoupon, ({ user, dso, round }) => keysOf(user, dso, ofRound(round))),
  kind(SvRewardCoupon, ({ beneficiary, dso, round }) => keysOf(beneficiary, dso, ofRound(round))),
  kind(ValidatorFaucetCoupon, ({ validator, dso, round }) => keysOf(validator, dso, ofRound(round))),
  kind(ValidatorLivenessActivityRecord, ({ validator, dso, round }) =>
    keysOf(validator, dso, ofRound(round)),
  ),
  kind(UnclaimedActivityRecord, ({ beneficiary, dso }) => keysOf(beneficiary, dso)),
  kind(DevelopmentFundCoupon, ({ beneficiary, fundManager, dso }) =>
    keysOf(beneficiary, dso, { link: fundManager }),
  ),
  kind(FeaturedAppRight, ({ provider, dso }) => keysOf(provider, dso)),
  kind(TransferOffer, ({ sender, receiver, dso, expiresAt }) =>
    keysOf(sender, dso, { link: receiver, dueAt: expiresAt }),
  ),
  kind(AcceptedTransferOffer, ({ sender, receiver, dso, expiresAt }) =>
    keysOf(sender, dso, { link: receiver, dueAt: expiresAt }),
  ),
  kind(BuyTrafficRequest, ({ endUserParty, dso, expiresAt }) =>
    keysOf(endUserParty, dso, { dueAt: expiresAt }),
  ),
  kind(AppPaymentRequest, ({ sender, dso, expiresAt }) => keysOf(sender, dso, { dueAt: expiresAt })),
  kind(AcceptedAppPayment, ({ sender, dso, reference }) => keysOf(sender, dso, { link: reference })),
  kind(MintingDelegation, ({ delegate, beneficiary, dso, expiresAt }) =>
    keysOf(delegate, dso, { link: beneficiary, dueAt: expiresAt }),
  ),
  kind(MintingDelegationProposal, ({ delegation: { delegate, beneficiary, dso, expiresAt } }) =>
    keysOf(delegate, dso, { link: beneficiary, dueAt: expiresAt }),
  ),
  // Due until the validator has looked at it.
  kind(TransferPreapprovalProposal, ({ receiver, provider, expectedDso }) =>
    keysOf(receiver, expectedDso, { link: provider, dueAt: 0n }),
  ),
  kind(TransferPreapproval, ({ receiver, provider, dso, expiresAt }) =>
    keysOf(receiver, dso, { link: provider, dueAt: expiresAt - PREAPPROVAL_RENEWAL_MICROSECONDS }),
  ),
  kind(AmuletTransferInstruction, ({ transfer: { sender, receiver, instrumentId } }) =>
    keysOf(sender, instrumentId.admin, { link: receiver }),
  ),
  kind(AmuletAllocation, ({ allocation: { settlement, transferLeg } }) =>
    keysOf(transferLeg.sender, transferLeg.instrumentId.admin, { link: settlement.executor }),
  ),
];

export const walletTemplates: readonly AnyTemplateDeclaration[] = kinds.map(({ template }) => template);

/** By module and entity: a package's later version has another id. */
const byName = new Map(kinds.map((each) => [`${each.template.module}:${each.template.entity}`, each]));

export function findWalletKind(templateId: string): Kind | undefined {
  return byName.get(templateId.slice(templateId.indexOf(":") + 1));
}
