/** Preapprovals of transfers that have run out. */
import { TransferPreapproval } from "@callsign/ledger";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expirePreapprovals = expireAtItsTime("expire-preapprovals", [
  {
    template: TransferPreapproval,
    command: ({ rules, sv }, transferPreapprovalCid) =>
      exerciseDsoRules(rules, sv, "DsoRules_ExpireTransferPreapproval", { transferPreapprovalCid }),
  },
]);
