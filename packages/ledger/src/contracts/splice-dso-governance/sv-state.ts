/** The contracts that the ledger keeps for each SV. The DSO signs them; only DsoRules changes them. */
import { implement } from "../../engine/template.ts";
import { SvNodeState, SvRewardState, SvStatusReport } from "./declarations/sv-state.ts";

export const svRewardState = implement(SvRewardState, { signatories: ({ dso }) => [dso] });

export const svNodeState = implement(SvNodeState, { signatories: ({ dso }) => [dso] });

export const svStatusReport = implement(SvStatusReport, { signatories: ({ dso }) => [dso] });
