/** Confirmations that have lapsed: beyond the quorum, or of an action that was never executed. */
import { Confirmation } from "@callsign/ledger";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expireConfirmations = expireAtItsTime("expire-confirmations", [
  {
    template: Confirmation,
    command: ({ rules, sv }, staleConfirmationCid) =>
      exerciseDsoRules(rules, sv, "DsoRules_ExpireStaleConfirmation", { staleConfirmationCid }),
  },
]);
