/** Preapprovals of transfers that have run out. */
import { TransferPreapproval } from "@callsign/ledger";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expirePreapprovals = expireAtItsTime("expire-preapprovals", [
  {
    template: TransferPreapproval,
    command: ({ exercise }, transferPreapprovalCid) =>
      exercise("DsoRules_ExpireTransferPreapproval", { transferPreapprovalCid }),
  },
]);
