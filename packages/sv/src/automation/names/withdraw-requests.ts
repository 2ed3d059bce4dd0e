/**
 * A request for a name that its user does not answer (decision 0002): one SV announces its withdrawal, and withdraws
 * it once the notice has run out. An announcement whose request was answered, or a second one, is discarded.
 */
import { type ContractId, RequestWithdrawal, SubscriptionRequest } from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import { type DecidedTask, type Deciding, defineAutomation } from "../dso-automation.ts";
import type { FoundContract } from "../ledger-facts.ts";
import { careForName } from "./care-for-name.ts";

export const withdrawRequests = defineAutomation({
  name: "withdraw-requests",
  subjects: ["request"],
  contracts: [SubscriptionRequest, RequestWithdrawal],
  decide: (deciding, { key }) => decideRequests(deciding, key),
});

/** Several requests may share the key. */
function decideRequests(deciding: Deciding, key: bigint): readonly DecidedTask[] {
  const { facts, rules } = deciding;
  const announced = facts.listBy(RequestWithdrawal, "referenceKey", key, FEW);
  const byRequest = Map.groupBy(announced, ({ payload }) => payload.reference);
  const unannounced = facts.agenda.rows
    .listBy(SubscriptionRequest, "referenceKey", key, FEW)
    .filter(({ contractId, due }) => due !== null && due <= facts.now && !byRequest.has(contractId))
    .filter((row) => facts.read(SubscriptionRequest, row)?.payload.subscriptionData.receiver === rules.dso);
  return [
    ...unannounced.map(({ contractId: requestCid }) =>
      careForName(deciding, `announce ${requestCid}`, "NameCare_AnnounceWithdrawal", { requestCid }),
    ),
    ...[...byRequest].flatMap(([request, withdrawals]) => settle(deciding, request, withdrawals)),
  ];
}

function settle(
  deciding: Deciding,
  request: ContractId,
  withdrawals: readonly FoundContract<typeof RequestWithdrawal>[],
): readonly DecidedTask[] {
  const { facts } = deciding;
  const [first, ...others] = withdrawals;
  const isOpen = facts.exists(request);
  const discarded = (isOpen ? others : withdrawals).map(({ contractId: withdrawalCid }) =>
    careForName(deciding, `discard ${withdrawalCid}`, "NameCare_DiscardWithdrawal", { withdrawalCid }),
  );
  if (!isOpen || first === undefined || first.payload.withdrawableAt > facts.now) return discarded;
  const { contractId: withdrawalCid } = first;
  // Without its context, if its user has ended that.
  const ansEntryContextCid = facts.findContext(request)?.cid ?? null;
  const argument = { withdrawalCid, ansEntryContextCid };
  return [
    careForName(deciding, `withdraw ${withdrawalCid}`, "NameCare_WithdrawRequest", argument),
    ...discarded,
  ];
}
