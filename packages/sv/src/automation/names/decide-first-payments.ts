/**
 * First payments for a name need a quorum: each SV confirms which payment gets the name and which are given back, and
 * once enough agree one of them executes. The earliest payments of a crowd come first.
 */
import {
  actionToConfirm,
  decideInitialPayments,
  type PendingInitialPayment,
  SubscriptionInitialPayment,
} from "@callsign/ledger";
import { PAYMENTS_AT_ONCE } from "../../limits/limits.ts";
import { confirmOrExecute } from "../confirm-or-execute.ts";
import { type Deciding, defineAutomation } from "../dso-automation.ts";
import { findLatestEntry } from "./find-latest-entry.ts";

export const decideFirstPayments = defineAutomation({
  name: "decide-first-payments",
  subjects: ["name"],
  decide: (deciding, { key }) => {
    const { facts, rules, network } = deciding;
    return [...paymentsByName(deciding, key)].flatMap(([name, payments]) =>
      decideInitialPayments({
        now: facts.now,
        openRounds: facts.rounds,
        amuletRulesCid: rules.amuletRulesCid,
        ansRulesCid: rules.ansRulesCid,
        name,
        acronym: network.acronym,
        payments,
        entry: findLatestEntry(facts, key, name)?.payload ?? null,
      }).flatMap((decision) =>
        decision.kind === "leave" ? [] : confirmOrExecute(deciding, actionToConfirm(decision)),
      ),
    );
  },
  awaits: ({ facts }, action) =>
    action.tag === "ARC_AnsEntryContext" && facts.exists(action.value.ansEntryContextAction.value.paymentCid),
});

/** Several names may share the key. */
function paymentsByName({ facts }: Deciding, key: bigint): ReadonlyMap<string, PendingInitialPayment[]> {
  const byName = new Map<string, PendingInitialPayment[]>();
  const found = facts.listBy(SubscriptionInitialPayment, "nameKey", key, PAYMENTS_AT_ONCE);
  for (const { contractId, payload } of found) {
    const context = facts.findContext(payload.reference);
    if (context === null) continue;
    const { name, url, description } = context.payload;
    const payments = byName.get(name) ?? [];
    payments.push({
      paymentCid: contractId,
      round: payload.round.number,
      isLocked: facts.exists(payload.lockedAmulet),
      context: { cid: context.cid, url, description },
    });
    byName.set(name, payments);
  }
  return byName;
}
