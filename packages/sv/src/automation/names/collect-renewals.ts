/** A renewal is collected by one SV, or given back when it can no longer be collected. */
import {
  type ContractId,
  decideRenewal,
  type RenewalDecision,
  SubscriptionPayment,
  transferContextOf,
} from "@callsign/ledger";
import type { Subject } from "../../kinds/subject.ts";
import { PAYMENTS_AT_ONCE } from "../../limits/limits.ts";
import { type DecidedTask, type Deciding, defineAutomation } from "../dso-automation.ts";
import type { FoundContract } from "../ledger-facts.ts";
import { careForName } from "./care-for-name.ts";
import { findLatestEntry } from "./find-latest-entry.ts";

export const collectRenewals = defineAutomation({
  name: "collect-renewals",
  subjects: ["name", "contract"],
  contracts: [SubscriptionPayment],
  decide: (deciding, subject) =>
    listPayments(deciding, subject).flatMap((payment) => {
      const decision = decidePayment(deciding, subject.key, payment);
      return decision.kind === "leave" ? [] : [carryOut(deciding, decision)];
    }),
});

/** A payment whose context was gone when it was made has no name, and is a subject by itself. */
function listPayments(
  { facts }: Deciding,
  { kind, key }: Subject,
): readonly FoundContract<typeof SubscriptionPayment>[] {
  if (kind === "name") return facts.listBy(SubscriptionPayment, "nameKey", key, PAYMENTS_AT_ONCE);
  const row = facts.findRow(SubscriptionPayment, key);
  const payment = row === null ? null : facts.read(SubscriptionPayment, row);
  return payment === null ? [] : [payment];
}

function decidePayment(
  { facts, rules }: Deciding,
  nameKey: bigint,
  { contractId: cid, payload }: FoundContract<typeof SubscriptionPayment>,
): RenewalDecision {
  const { reference, round, thisPaymentDueAt, lockedAmulet } = payload;
  const context = facts.findContext(reference);
  const entry = context === null ? null : findLatestEntry(facts, nameKey, context.payload.name);
  return decideRenewal({
    now: facts.now,
    openRounds: facts.rounds,
    amuletRulesCid: rules.amuletRulesCid,
    ansRulesCid: rules.ansRulesCid,
    payment: { cid, round: round.number, thisPaymentDueAt, isLocked: facts.exists(lockedAmulet) },
    context: context === null ? null : { ...context.payload, cid: context.cid, owner: context.payload.user },
    entry: entry === null ? null : { ...entry.payload, cid: entry.contractId, owner: entry.payload.user },
  });
}

function carryOut(
  deciding: Deciding,
  decision: Exclude<RenewalDecision, { readonly kind: "leave" }>,
): DecidedTask {
  const paymentCid = decision.paymentCid as ContractId;
  const transferContext = transferContextOf(decision);
  if (decision.kind === "return") {
    const key = `return ${paymentCid} ${transferContext.openMiningRound}`;
    return careForName(deciding, key, "NameCare_ReturnRenewalPayment", { paymentCid, transferContext });
  }
  const entryCid = decision.entryCid as ContractId;
  return deciding.task(`renew ${paymentCid} ${entryCid}`, "DsoRules_CollectEntryRenewalPayment", {
    ansEntryContextCid: decision.contextCid as ContractId,
    choiceArg: { paymentCid, entryCid, transferContext, ansRulesCid: decision.ansRulesCid as ContractId },
  });
}
