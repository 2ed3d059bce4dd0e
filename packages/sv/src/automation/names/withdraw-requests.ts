/**
 * A request for a name that its user does not answer (decision 0002): one SV announces its withdrawal, and withdraws
 * it once the notice has run out. An announcement whose request was answered, or a second one, is discarded.
 */
import {
  type ContractId,
  exerciseCommand,
  NameCare,
  RequestWithdrawal,
  SubscriptionRequest,
} from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import { type DecidedTask, type Deciding, defineAutomation } from "../dso-automation.ts";
import type { FoundContract } from "../ledger-facts.ts";

export const withdrawRequests = defineAutomation({
  name: "withdraw-requests",
  subjects: ["request"],
  contracts: [SubscriptionRequest, RequestWithdrawal],
  decide: (deciding, { key }) => decideRequests(deciding, key),
});

/** Several requests may share the key. */
function decideRequests(deciding: Deciding, key: bigint): readonly DecidedTask[] {
  const { facts, rules } = deciding;
  const byRequest = new Map<ContractId, FoundContract<typeof RequestWithdrawal>[]>();
  for (const announced of facts.listBy(RequestWithdrawal, "referenceKey", key, FEW)) {
    const { reference } = announced.payload;
    byRequest.set(reference, [...(byRequest.get(reference) ?? []), announced]);
  }
  const unannounced = facts.agenda.rows
    .listBy(SubscriptionRequest, "referenceKey", key, FEW)
    .filter(({ contractId, due }) => due !== null && due <= facts.now && !byRequest.has(contractId))
    .filter((row) => facts.read(SubscriptionRequest, row)?.payload.subscriptionData.receiver === rules.dso);
  return [
    ...unannounced.map(({ contractId }) => announce(deciding, contractId)),
    ...[...byRequest].flatMap(([request, announced]) => settle(deciding, request, announced)),
  ];
}

function settle(
  deciding: Deciding,
  request: ContractId,
  [first, ...others]: readonly FoundContract<typeof RequestWithdrawal>[],
): readonly DecidedTask[] {
  const { facts } = deciding;
  if (first === undefined) return [];
  if (!facts.exists(request)) return [first, ...others].map((announced) => discard(deciding, announced));
  const isDue = first.payload.withdrawableAt <= facts.now;
  return [
    ...(isDue ? [withdraw(deciding, first)] : []),
    ...others.map((announced) => discard(deciding, announced)),
  ];
}

function announce(deciding: Deciding, requestCid: ContractId): DecidedTask {
  const { rules, sv } = deciding;
  const argument = { sv, dsoRulesCid: rules.dsoRules.contractId, requestCid };
  const command = exerciseCommand(NameCare, rules.nameCareCid, "NameCare_AnnounceWithdrawal", argument);
  return { key: `announce ${requestCid}`, commands: [command], takes: 1 };
}

/** Without its context, if its user has ended that. */
function withdraw(
  deciding: Deciding,
  { contractId, payload }: FoundContract<typeof RequestWithdrawal>,
): DecidedTask {
  const { facts, rules, sv } = deciding;
  const context = facts.findContext(payload.reference);
  const command = exerciseCommand(NameCare, rules.nameCareCid, "NameCare_WithdrawRequest", {
    ...{ sv, dsoRulesCid: rules.dsoRules.contractId, withdrawalCid: contractId },
    ansEntryContextCid: context?.cid ?? null,
  });
  return { key: `withdraw ${contractId}`, commands: [command], takes: 1 };
}

function discard(
  { rules, sv }: Deciding,
  { contractId }: FoundContract<typeof RequestWithdrawal>,
): DecidedTask {
  const argument = { sv, dsoRulesCid: rules.dsoRules.contractId, withdrawalCid: contractId };
  const command = exerciseCommand(NameCare, rules.nameCareCid, "NameCare_DiscardWithdrawal", argument);
  return { key: `discard ${contractId}`, commands: [command], takes: 1 };
}
