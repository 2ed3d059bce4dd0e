/**
 * Contracts that end at a time they name themselves: preapprovals of transfers, what was granted to somebody and not
 * minted. One SV removes each of them; what it was worth is nobody's again.
 */
import {
  DevelopmentFundCoupon,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
} from "@callsign/ledger";
import type { AgendaRow } from "../agenda/agenda-rows.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

export function expireContract(deciding: Deciding, row: AgendaRow): Task | null {
  if (row.due === null || row.due > deciding.facts.now || !deciding.facts.exists(row.contractId)) return null;
  const expiry = findExpiry(deciding, row);
  return expiry === null ? null : { ...expiry, key: `expire ${row.contractId}`, enough: 1 };
}

function findExpiry(
  { rules, sv }: Deciding,
  { template, contractId }: AgendaRow,
): Pick<Task, "automation" | "commands"> | null {
  switch (template) {
    case TransferPreapproval: {
      const argument = { transferPreapprovalCid: contractId };
      const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireTransferPreapproval", argument);
      return { automation: "expire-preapprovals", commands: [command] };
    }
    case UnclaimedActivityRecord: {
      const argument = { unclaimedActivityRecordCid: contractId };
      const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireUnclaimedActivityRecord", argument);
      return { automation: "expire-activity-records", commands: [command] };
    }
    case UnallocatedUnclaimedActivityRecord: {
      const choice = "DsoRules_ExpireUnallocatedUnclaimedActivityRecord";
      const argument = { unallocatedUnclaimedActivityRecordCid: contractId };
      const command = exerciseDsoRules(rules, sv, choice, argument);
      return { automation: "expire-activity-records", commands: [command] };
    }
    case DevelopmentFundCoupon: {
      const argument = { developmentFundCouponCid: contractId };
      const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireDevelopmentFundCoupon", argument);
      return { automation: "expire-fund-coupons", commands: [command] };
    }
    default:
      return null;
  }
}
