/**
 * The contracts that a wallet is made of: whose they are, and by what they are looked for besides their id. The
 * owner decides who is shown a contract and for whom it is used, whoever else may see it on the ledger. Anybody can
 * make coin or names in which they themselves stand where the DSO does: which DSO a contract names is filed with it.
 */
import {
  AcceptedTransferOffer,
  Amulet,
  AnsEntry,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  AppPaymentRequest,
  AppRewardCoupon,
  BuyTrafficRequest,
  DevelopmentFundCoupon,
  LockedAmulet,
  MintingDelegation,
  MintingDelegationProposal,
  type PayloadOf,
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

/** How a contract is filed. */
export interface Filing {
  readonly owner: string;
  /** Which DSO it names; null where it names none. */
  readonly dso: string | null;
  /** Another contract's id or another party: what contracts of this kind are looked for by. */
  readonly link: string;
  /** The name of an entry or a user, or the round of a reward. */
  readonly name: string;
  /** From when a subscription may be paid, and until when that makes sense, in microseconds. */
  readonly payableFrom: bigint | null;
  readonly payableUntil: bigint | null;
  /** From when something else is to be done about it, in microseconds. */
  readonly dueAt: bigint | null;
}

interface Kind {
  readonly template: AnyTemplateDeclaration;
  readonly file: (payload: never) => Filing;
}

function kind<T extends AnyTemplateDeclaration>(template: T, file: (payload: PayloadOf<T>) => Filing): Kind {
  return { template, file: file as Kind["file"] };
}

interface More {
  readonly link?: string;
  readonly name?: string;
  readonly dueAt?: bigint;
}

function filed(owner: string, dso: string | null, { link = "", name = "", dueAt }: More = {}): Filing {
  return { owner, dso, link, name, payableFrom: null, payableUntil: null, dueAt: dueAt ?? null };
}

/** Minted when that round issues; until then it waits for that. */
function ofRound({ number }: { readonly number: bigint }): More {
  return { name: String(number), dueAt: 0n };
}

interface Subscribed {
  readonly subscriptionData: { readonly sender: string; readonly dso: string };
}

function filedForSender({ subscriptionData: { sender, dso } }: Subscribed, link = ""): Filing {
  return filed(sender, dso, { link });
}

const kinds: readonly Kind[] = [
  kind(WalletAppInstall, ({ endUserParty, endUserName, dsoParty, validatorParty }) =>
    filed(endUserParty, dsoParty, { name: endUserName, link: validatorParty }),
  ),
  kind(ValidatorRight, ({ user, validator, dso }) => filed(user, dso, { link: validator })),
  kind(ValidatorLicense, ({ validator, dso }) => filed(validator, dso)),
  kind(ValidatorTopUpState, ({ validator, dso }) => filed(validator, dso)),
  kind(Amulet, ({ owner, dso }) => filed(owner, dso)),
  kind(LockedAmulet, ({ amulet }) => filed(amulet.owner, amulet.dso)),
  kind(SubscriptionRequest, (request) => filedForSender(request)),
  kind(SubscriptionInitialPayment, (payment) => filedForSender(payment, payment.reference)),
  kind(Subscription, (subscription) => filedForSender(subscription, subscription.reference)),
  kind(SubscriptionIdleState, (idle) => ({
    ...filedForSender(idle, idle.subscription),
    payableFrom: idle.nextPaymentDueAt - idle.payData.paymentDuration.microseconds,
    payableUntil: idle.nextPaymentDueAt,
  })),
  kind(SubscriptionPayment, (payment) => filedForSender(payment, payment.subscription)),
  kind(AnsEntryContext, ({ user, dso, reference, name }) => filed(user, dso, { link: reference, name })),
  kind(AnsEntry, ({ user, dso, name }) => filed(user, dso, { name })),
  kind(RenewalPreference, ({ subscriber, reference }) => filed(subscriber, null, { link: reference })),
  kind(AppRewardCoupon, ({ provider, beneficiary, dso, round }) =>
    filed(beneficiary ?? provider, dso, ofRound(round)),
  ),
  kind(ValidatorRewardCoupon, ({ user, dso, round }) => filed(user, dso, ofRound(round))),
  kind(SvRewardCoupon, ({ beneficiary, dso, round }) => filed(beneficiary, dso, ofRound(round))),
  kind(ValidatorFaucetCoupon, ({ validator, dso, round }) => filed(validator, dso, ofRound(round))),
  kind(ValidatorLivenessActivityRecord, ({ validator, dso, round }) => filed(validator, dso, ofRound(round))),
  kind(UnclaimedActivityRecord, ({ beneficiary, dso }) => filed(beneficiary, dso)),
  kind(DevelopmentFundCoupon, ({ beneficiary, dso }) => filed(beneficiary, dso)),
  kind(TransferOffer, ({ sender, receiver, dso, expiresAt }) =>
    filed(sender, dso, { link: receiver, dueAt: expiresAt }),
  ),
  kind(AcceptedTransferOffer, ({ sender, receiver, dso, expiresAt }) =>
    filed(sender, dso, { link: receiver, dueAt: expiresAt }),
  ),
  kind(BuyTrafficRequest, ({ endUserParty, dso, expiresAt }) =>
    filed(endUserParty, dso, { dueAt: expiresAt }),
  ),
  kind(AppPaymentRequest, ({ sender, dso, expiresAt }) => filed(sender, dso, { dueAt: expiresAt })),
  kind(MintingDelegation, ({ delegate, beneficiary, dso, expiresAt }) =>
    filed(delegate, dso, { link: beneficiary, dueAt: expiresAt }),
  ),
  kind(MintingDelegationProposal, ({ delegation: { delegate, beneficiary, dso, expiresAt } }) =>
    filed(delegate, dso, { link: beneficiary, dueAt: expiresAt }),
  ),
  kind(TransferPreapprovalProposal, ({ receiver, provider, expectedDso }) =>
    filed(receiver, expectedDso, { link: provider }),
  ),
  kind(TransferPreapproval, ({ receiver, provider, dso, expiresAt }) =>
    filed(receiver, dso, { link: provider, dueAt: expiresAt - PREAPPROVAL_RENEWAL_MICROSECONDS }),
  ),
];

export const walletTemplates: readonly AnyTemplateDeclaration[] = kinds.map(({ template }) => template);

/** By module and entity: a package's later version has another id. */
const byName = new Map(kinds.map((each) => [`${each.template.module}:${each.template.entity}`, each]));

export function findKind(templateId: string): Kind | undefined {
  return byName.get(templateId.slice(templateId.indexOf(":") + 1));
}
