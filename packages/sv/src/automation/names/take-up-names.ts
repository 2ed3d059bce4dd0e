/**
 * The holder of a cancelled name takes it up again (decision 0054): one SV accepts the request, or discards it if it cannot
 * be accepted. The contracts check everything, except that the name has no subscription any more: no contract can see
 * that another is gone.
 */
import {
  AnsEntry,
  AnsRules,
  type ContractId,
  entryTerms,
  equalValues,
  isRenewalCollectable,
  SubscriptionIdleState,
  SubscriptionPayData,
  SubscriptionPayment,
  TakeUpRequest,
} from "@callsign/ledger";
import { MANY, PAYMENTS_AT_ONCE } from "../../limits/limits.ts";
import { type Deciding, defineAutomation } from "../dso-automation.ts";
import { careForName } from "./care-for-name.ts";

export const takeUpNames = defineAutomation({
  name: "take-up-names",
  subjects: ["contract"],
  contracts: [TakeUpRequest],
  decide: (deciding, { key: created }) => {
    const { facts, rules } = deciding;
    const row = facts.findRow(TakeUpRequest, created);
    const request = row === null ? null : facts.read(TakeUpRequest, row);
    if (request === null) return [];
    const { contractId: requestCid, payload } = request;
    if (!isAcceptable(deciding, payload)) {
      return [careForName(deciding, `discard ${requestCid}`, "NameCare_DiscardTakeUp", { requestCid })];
    }
    const { ansRulesCid } = rules;
    const argument = { requestCid, ansRulesCid };
    return [careForName(deciding, `take up ${requestCid} ${ansRulesCid}`, "NameCare_TakeUp", argument)];
  },
});

function isAcceptable(
  { facts, rules }: Deciding,
  { user, entry: entryCid, payData, ...asked }: TakeUpRequest,
): boolean {
  const row = facts.agenda.rows.findContract(entryCid);
  const entry = row === null ? null : facts.read(AnsEntry, row);
  const ansRules = facts.read(AnsRules, { contractId: rules.ansRulesCid });
  if (row === null || row.nameKey === null || entry === null || ansRules === null) return false;
  const { name, expiresAt } = entry.payload;
  const isOfEntry = (reference: ContractId) => {
    const context = facts.findContext(reference)?.payload;
    return context?.name === name && context.user === user;
  };
  // A subscription of the entry is due when the entry ends. Its row falls due a microsecond later.
  const hasSubscription = facts.agenda.rows
    .listDueAt(SubscriptionIdleState, expiresAt + 1n, MANY)
    .flatMap((idle) => facts.read(SubscriptionIdleState, idle) ?? [])
    .some(({ payload }) => isOfEntry(payload.reference));
  const hasPayment = facts
    .listBy(SubscriptionPayment, "nameKey", row.nameKey, PAYMENTS_AT_ONCE)
    .some(({ payload }) => payload.thisPaymentDueAt === expiresAt && isOfEntry(payload.reference));
  return (
    entry.payload.user === user &&
    name === asked.name &&
    isRenewalCollectable({ expiresAt, now: facts.now }) &&
    equalValues(SubscriptionPayData, payData, entryTerms(ansRules.payload)) &&
    !hasSubscription &&
    !hasPayment
  );
}
