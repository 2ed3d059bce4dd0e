/** Confirmations that have lapsed: beyond the quorum, or of an action that was never executed. */
import { Confirmation } from "@callsign/ledger";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expireConfirmations = expireAtItsTime("expire-confirmations", [
  {
    template: Confirmation,
    command: ({ exercise }, staleConfirmationCid) =>
      exercise("DsoRules_ExpireStaleConfirmation", { staleConfirmationCid }),
  },
]);
