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
import type { Deciding, FoundContract } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

/** A request has one announcement; more are a race that somebody lost. */
const ANNOUNCEMENTS = 100;
const SAME_KEY = 16;

/** The key is that of the request's id, so that what it finds may be of several requests. */
export function listRequestTasks(deciding: Deciding, key: bigint): readonly Task[] {
  const { facts, rules } = deciding;
  const byRequest = new Map<ContractId, FoundContract<typeof RequestWithdrawal>[]>();
  for (const announced of facts.list(RequestWithdrawal, key, ANNOUNCEMENTS)) {
    const { reference } = announced.payload;
    byRequest.set(reference, [...(byRequest.get(reference) ?? []), announced]);
  }
  const unannounced = facts.agenda.rows
    .listByKey(SubscriptionRequest, key, SAME_KEY)
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
): readonly Task[] {
  const { facts } = deciding;
  if (first === undefined) return [];
  if (!facts.exists(request)) return [first, ...others].map((announced) => discard(deciding, announced));
  const isDue = first.payload.withdrawableAt <= facts.now;
  return [
    ...(isDue ? [withdraw(deciding, first)] : []),
    ...others.map((announced) => discard(deciding, announced)),
  ];
}

function announce(deciding: Deciding, requestCid: ContractId): Task {
  const { rules, sv } = deciding;
  const argument = { sv, dsoRulesCid: rules.dsoRules.contractId, requestCid };
  const command = exerciseCommand(NameCare, rules.nameCareCid, "NameCare_AnnounceWithdrawal", argument);
  return { automation: "withdraw-requests", key: `announce ${requestCid}`, commands: [command], enough: 1 };
}

/** Without its context, if its user has ended that. */
function withdraw(
  deciding: Deciding,
  { contractId, payload }: FoundContract<typeof RequestWithdrawal>,
): Task {
  const { facts, rules, sv } = deciding;
  const context = facts.agenda.findContext(facts.contracts, payload.reference);
  const command = exerciseCommand(NameCare, rules.nameCareCid, "NameCare_WithdrawRequest", {
    ...{ sv, dsoRulesCid: rules.dsoRules.contractId, withdrawalCid: contractId },
    ansEntryContextCid: context?.cid ?? null,
  });
  return { automation: "withdraw-requests", key: `withdraw ${contractId}`, commands: [command], enough: 1 };
}

function discard({ rules, sv }: Deciding, { contractId }: FoundContract<typeof RequestWithdrawal>): Task {
  const argument = { sv, dsoRulesCid: rules.dsoRules.contractId, withdrawalCid: contractId };
  const command = exerciseCommand(NameCare, rules.nameCareCid, "NameCare_DiscardWithdrawal", argument);
  return { automation: "withdraw-requests", key: `discard ${contractId}`, commands: [command], enough: 1 };
}
