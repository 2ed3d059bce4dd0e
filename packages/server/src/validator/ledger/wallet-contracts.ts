/**
 * The contracts that a wallet is made of: whose they are, and by what they are looked for besides their id. The
 * owner decides who is shown a contract and for whom it is used, whoever else may see it on the ledger. Anybody can
 * make coin or names in which they themselves stand where the DSO does: which DSO a contract names is filed with it.
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
  /** Which DSO it names; null where it names none. */
  readonly dso: string | null;
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

function filed(owner: string, dso: string | null, { link = "", name = "" } = {}): Filing {
  return { owner, dso, link, name, payableFrom: null, payableUntil: null };
}

interface Subscribed {
  readonly subscriptionData: { readonly sender: string; readonly dso: string };
}

function filedForSender({ subscriptionData: { sender, dso } }: Subscribed, link = ""): Filing {
  return filed(sender, dso, { link });
}

const kinds: readonly Kind[] = [
  kind(WalletAppInstall, ({ endUserParty, endUserName, dsoParty }) =>
    filed(endUserParty, dsoParty, { name: endUserName }),
  ),
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
];

export const walletTemplates: readonly AnyTemplateDeclaration[] = kinds.map(({ template }) => template);

/** By module and entity: a package's later version has another id. */
const byName = new Map(kinds.map((each) => [`${each.template.module}:${each.template.entity}`, each]));

export function findKind(templateId: string): Kind | undefined {
  return byName.get(templateId.slice(templateId.indexOf(":") + 1));
}
