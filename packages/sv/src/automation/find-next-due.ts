/** When time alone makes the next task of an automation due. What has come to be due already does not count. */
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  AnsEntry,
  Confirmation,
  DevelopmentFundCoupon,
  ExternalPartyConfigState,
  IssuingMiningRound,
  RequestWithdrawal,
  SubscriptionIdleState,
  SubscriptionPayment,
  SubscriptionRequest,
  type Time,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  VoteRequest,
} from "@callsign/ledger";
import type { Agenda } from "../agenda/agenda.ts";
import type { AgendaTemplate } from "../agenda/agenda-row.ts";
import type { Automation } from "./task.ts";

/** Whose contracts fall due by themselves. */
const TEMPLATES: Partial<Record<Automation, readonly AgendaTemplate[]>> = {
  "collect-renewals": [SubscriptionPayment],
  "expire-subscriptions": [SubscriptionIdleState],
  "expire-entries": [AnsEntry],
  "withdraw-requests": [SubscriptionRequest, RequestWithdrawal],
  "expire-confirmations": [Confirmation],
  "close-vote-requests": [VoteRequest],
  "replace-config-states": [ExternalPartyConfigState],
  "close-rounds": [IssuingMiningRound],
  "expire-activity-records": [UnclaimedActivityRecord, UnallocatedUnclaimedActivityRecord],
  "expire-fund-coupons": [DevelopmentFundCoupon],
  "expire-preapprovals": [TransferPreapproval],
  "expire-transfer-instructions": [AmuletTransferInstruction],
  "expire-allocations": [AmuletAllocation],
};

export function findNextDue(agenda: Agenda, automation: Automation): Time | null {
  const { now, rows, rounds } = agenda;
  const moments = (TEMPLATES[automation] ?? []).flatMap(
    (template) => rows.findNextDueOf(template, now) ?? [],
  );
  if (automation === "advance-rounds") moments.push(rounds.findNextDue() ?? now);
  if (automation === "convert-activity-markers") moments.push(agenda.markersDue() ?? now);
  if (automation === "receive-sv-rewards") moments.push(...rounds.list().map(({ opensAt }) => opensAt));
  const next = moments
    .filter((moment) => moment > now)
    .reduce<bigint | null>((first, moment) => (first === null || moment < first ? moment : first), null);
  return next as Time | null;
}
