/** The results of votes that were closed, kept for ever: the requests themselves are archived with their votes. */
import type { SQLInputValue } from "node:sqlite";
import { DsoRules, type Outcome, type PartyId, scanJson, type Time, type ValueOf } from "@callsign/ledger";
import { CheckedRows, type CheckedTable, creationPlace, type SummedDatabase } from "@callsign/synchronizer";

export const VOTE_RESULT_TABLE = `
  create table vote_result (
    place integer primary key,
    action_name text not null,
    accepted integer not null,
    requester text not null,
    effective_at integer not null,
    result text not null
  ) strict;
  create index vote_result_effective on vote_result (effective_at);
`;

export const VOTE_RESULTS = {
  table: "vote_result",
  columns: ["place", "action_name", "accepted", "requester", "effective_at", "result"],
} as const satisfies CheckedTable;

const { result: CloseResult } = DsoRules.choices.DsoRules_CloseVoteRequest;
type VoteResult = ValueOf<typeof CloseResult>;

/** Null: any. */
export interface VoteResultFilter {
  readonly actionName: string | null;
  readonly accepted: boolean | null;
  readonly requester: string | null;
  readonly effectiveFrom: Time | null;
  readonly effectiveTo: Time | null;
  readonly limit: number;
}

export function openVoteResultRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, VOTE_RESULTS, sums);
  const select = rows.query(`
    where (?1 is null or instr(action_name, ?1) > 0)
      and (?2 is null or accepted = ?2)
      and (?3 is null or instr(requester, ?3) > 0)
      and (?4 is null or effective_at >= ?4)
      and (?5 is null or effective_at <= ?5)
    order by effective_at desc, place desc limit +?6
  `);
  return {
    absorb: ({ verdict, head }: Outcome, dso: PartyId) => {
      if (verdict.kind !== "accepted" || verdict.transaction === null) return;
      for (const node of verdict.transaction.nodes) {
        if (node.kind !== "exercise" || node.choice !== "DsoRules_CloseVoteRequest") continue;
        if (node.templateId !== DsoRules.id || !node.signatories.includes(dso)) continue;
        const result = node.result.value as VoteResult;
        const { request, outcome, completedAt } = result;
        const isAccepted = outcome.tag === "VRO_Accepted";
        const effectiveAt = isAccepted ? outcome.value.effectiveAt : completedAt;
        const place = creationPlace(head.sequence, node.nodeId);
        const body = JSON.stringify(CloseResult.toJson(result, scanJson));
        rows.save(place, nameOf(request), isAccepted ? 1 : 0, request.requester, effectiveAt, body);
      }
    },
    /** As JSON texts, the last effective first. */
    list: (filter: VoteResultFilter): readonly string[] => {
      const { actionName, accepted, requester, effectiveFrom, effectiveTo, limit } = filter;
      const isAccepted: SQLInputValue = accepted === null ? null : accepted ? 1 : 0;
      const found = select.all(actionName, isAccepted, requester, effectiveFrom, effectiveTo, limit);
      return found.map((row) => row["result"] as string);
    },
  };
}

/** The name that people know an action by: that of the choice behind it. */
function nameOf({ action }: VoteResult["request"]): string {
  switch (action.tag) {
    case "ARC_DsoRules":
      return action.value.dsoAction.tag;
    case "ARC_AmuletRules":
      return action.value.amuletRulesAction.tag;
    case "ARC_AnsEntryContext":
      return action.value.ansEntryContextAction.tag;
    case "ExtActionRequiringConformation":
      return action.tag;
  }
}
