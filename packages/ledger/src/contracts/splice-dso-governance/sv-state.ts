/** What the ledger keeps for each SV. The DSO signs it all; only DsoRules changes it. */
import { implement } from "../../engine/template.ts";
import { SvNodeState, SvRewardState, SvStatusReport } from "./declarations/sv-state.ts";

export const svRewardState = implement(SvRewardState, { signatories: ({ dso }) => [dso], choices: {} });

export const svNodeState = implement(SvNodeState, { signatories: ({ dso }) => [dso], choices: {} });

export const svStatusReport = implement(SvStatusReport, { signatories: ({ dso }) => [dso], choices: {} });
