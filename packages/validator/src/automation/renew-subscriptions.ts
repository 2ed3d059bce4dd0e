/** Pays renewals when they are due, for users who have not switched that off. */
import { AnsEntry, AnsEntryContext, RenewalPreference, SubscriptionIdleState } from "@callsign/ledger";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { decideRenewalPayment } from "../wallet/decide-renewal-payment.ts";
import { payRenewal, renewsItself } from "../wallet/subscriptions.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import type { Automation } from "./automation.ts";

export interface RenewalParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly clock: LedgerClock;
  readonly directory: WalletDirectory;
}

/** Owners whose renewals are paid at once. */
const MAX_AT_ONCE = 16;

export function renewSubscriptions(parts: RenewalParts): Automation {
  const { store, reads, clock, directory } = parts;
  return {
    name: "renew-subscriptions",
    reactsTo: [SubscriptionIdleState, AnsEntry, AnsEntryContext, RenewalPreference],
    atOnce: MAX_AT_ONCE,
    listDue: (now, after) => reads.listPayable(now, after),
    nextDueAt: (now) => reads.nextPayableAt(now),
    perform: async (contractId) => {
      const idle = await store.find(SubscriptionIdleState, contractId);
      const wallet = idle === undefined ? undefined : await directory.findByParty(idle.owner);
      if (idle === undefined || wallet === undefined) return false;
      const autoRenew = await renewsItself(store, wallet.party, idle.payload.reference);
      const decision = await decideRenewalPayment(store, idle, { now: clock.now, autoRenew });
      if (decision.kind !== "pay") return false;
      await payRenewal(parts, wallet, { idleState: idle.contractId, asker: "automation" });
      return true;
    },
  };
}
