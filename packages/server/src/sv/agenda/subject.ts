/** What an SV looks at as a whole, to see what is to be done about it. */
import {
  AnsEntry,
  Confirmation,
  ExternalPartyConfigState,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
} from "@callsign/ledger";
import type { AgendaRow } from "./agenda-rows.ts";

export type Subject =
  /** Everything paid for one name: first payments, renewals, confirmations. The key is that of the name. */
  | { readonly kind: "name"; readonly key: bigint }
  /** One contract that is to go; the key is its row's. */
  | { readonly kind: "contract"; readonly key: bigint }
  /** The rounds, and the configuration states that follow them. */
  | { readonly kind: "rounds"; readonly key: 0n };

export const ROUNDS: Subject = { kind: "rounds", key: 0n };

export function subjectId({ kind, key }: Subject): string {
  return `${kind} ${key}`;
}

/** What is worth a look when the contract comes, goes or falls due. */
export function subjectsOf({ template, key, other, created }: AgendaRow): readonly Subject[] {
  const contract: Subject = { kind: "contract", key: created };
  switch (template) {
    case SubscriptionInitialPayment:
    case SubscriptionPayment:
      return [{ kind: "name", key }];
    case AnsEntry:
      return [{ kind: "name", key }, contract];
    case Confirmation:
      return other === null ? [contract] : [{ kind: "name", key: other }, contract];
    case SubscriptionIdleState:
    case TerminatedSubscription:
      return [contract];
    case ExternalPartyConfigState:
      return [ROUNDS];
    default:
      return [];
  }
}
