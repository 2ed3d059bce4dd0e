/**
 * Contracts that end at a time they name themselves: preapprovals of transfers, what was granted to somebody and not
 * minted, transfers that nobody accepted and allocations that nobody settled. One SV removes each of them. Coin that is
 * still locked goes back to its owner; what was granted is nobody's again.
 */
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  type ContractId,
  DevelopmentFundCoupon,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
} from "@callsign/ledger";
import type { AgendaRow } from "../agenda/agenda-rows.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, LedgerFacts } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

export function expireContract(deciding: Deciding, row: AgendaRow): Task | null {
  if (row.due === null || row.due > deciding.facts.now || !deciding.facts.exists(row.contractId)) return null;
  const expiry = findExpiry(deciding, row);
  return expiry === null ? null : { ...expiry, key: `expire ${row.contractId}`, enough: 1 };
}

function findExpiry(
  { facts, rules, sv }: Deciding,
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
    case AmuletTransferInstruction: {
      const expireLock = hasCoin(facts, AmuletTransferInstruction, contractId);
      const inputs = [{ transferInstructionCid: contractId, expireLock }];
      const transferInsts = { expectedDso: rules.dso, inputs, observers: [] };
      const argument = { amuletRulesCid: rules.amuletRulesCid, transferInsts };
      const command = exerciseDsoRules(rules, sv, "DsoRules_Amulet_ExpireTransferInstructions", argument);
      return { automation: "expire-transfer-instructions", commands: [command] };
    }
    case AmuletAllocation: {
      if (rules.extAmuletRulesCid === null) return null;
      const inputs = [
        { allocationCid: contractId, expireLock: hasCoin(facts, AmuletAllocation, contractId) },
      ];
      const expireAllocations = { expectedDso: rules.dso, inputs, observers: [] };
      const argument = { extAmuletRulesCid: rules.extAmuletRulesCid, expireAllocations };
      const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireAmuletAllocations", argument);
      return { automation: "expire-allocations", commands: [command] };
    }
    default:
      return null;
  }
}

/** Once the lock has run out its owner may have taken the coin out by hand. */
function hasCoin(
  facts: LedgerFacts,
  template: typeof AmuletTransferInstruction | typeof AmuletAllocation,
  contractId: ContractId,
): boolean {
  const found = facts.read(template, { contractId });
  return found !== null && facts.exists(found.payload.lockedAmulet);
}
