/**
 * The contracts that a wallet is made of: whose they are, and by what they are looked for besides their id. The
 * owner decides who is shown a contract and for whom it is used, whoever else may see it on the ledger.
 */
import {
  Amulet,
  AnsEntry,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  LockedAmulet,
  type PayloadOf,
  RenewalPreference,
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  WalletAppInstall,
} from "@callsign/ledger";

/** How a contract is filed. */
export interface Filing {
  readonly owner: string;
  /** Another contract's id: what contracts of this kind are looked for by. */
  readonly link: string;
  /** The name of an entry or a user. */
  readonly name: string;
  /** From when a subscription may be paid, and until when that makes sense, in microseconds. */
  readonly payableFrom: bigint | null;
  readonly payableUntil: bigint | null;
}

interface Kind {
  readonly template: AnyTemplateDeclaration;
  readonly file: (payload: never) => Filing;
}

function kind<T extends AnyTemplateDeclaration>(template: T, file: (payload: PayloadOf<T>) => Filing): Kind {
  return { template, file: file as Kind["file"] };
}

function filed(owner: string, link = "", name = ""): Filing {
  return { owner, link, name, payableFrom: null, payableUntil: null };
}

const kinds: readonly Kind[] = [
  kind(WalletAppInstall, ({ endUserParty, endUserName }) => filed(endUserParty, "", endUserName)),
  kind(Amulet, ({ owner }) => filed(owner)),
  kind(LockedAmulet, ({ amulet }) => filed(amulet.owner)),
  kind(SubscriptionRequest, ({ subscriptionData }) => filed(subscriptionData.sender)),
  kind(SubscriptionInitialPayment, ({ subscriptionData, reference }) =>
    filed(subscriptionData.sender, reference),
  ),
  kind(Subscription, ({ subscriptionData, reference }) => filed(subscriptionData.sender, reference)),
  kind(SubscriptionIdleState, ({ subscriptionData, subscription, nextPaymentDueAt, payData }) => ({
    ...filed(subscriptionData.sender, subscription),
    payableFrom: nextPaymentDueAt - payData.paymentDuration.microseconds,
    payableUntil: nextPaymentDueAt,
  })),
  kind(SubscriptionPayment, ({ subscriptionData, subscription }) =>
    filed(subscriptionData.sender, subscription),
  ),
  kind(AnsEntryContext, ({ user, reference, name }) => filed(user, reference, name)),
  kind(AnsEntry, ({ user, name }) => filed(user, "", name)),
  kind(RenewalPreference, ({ subscriber, reference }) => filed(subscriber, reference)),
];

export const walletTemplates: readonly AnyTemplateDeclaration[] = kinds.map(({ template }) => template);

/** By module and entity: a package's later version has another id. */
const byName = new Map(kinds.map((each) => [`${each.template.module}:${each.template.entity}`, each]));

export function findKind(templateId: string): Kind | undefined {
  return byName.get(templateId.slice(templateId.indexOf(":") + 1));
}
