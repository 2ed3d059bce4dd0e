/** Records that were granted to somebody and not minted in time; the coin is nobody's again. */
import { UnallocatedUnclaimedActivityRecord, UnclaimedActivityRecord } from "@callsign/ledger";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expireActivityRecords = expireAtItsTime("expire-activity-records", [
  {
    template: UnclaimedActivityRecord,
    command: ({ rules, sv }, unclaimedActivityRecordCid) =>
      exerciseDsoRules(rules, sv, "DsoRules_ExpireUnclaimedActivityRecord", { unclaimedActivityRecordCid }),
  },
  {
    template: UnallocatedUnclaimedActivityRecord,
    command: ({ rules, sv }, unallocatedUnclaimedActivityRecordCid) =>
      exerciseDsoRules(rules, sv, "DsoRules_ExpireUnallocatedUnclaimedActivityRecord", {
        unallocatedUnclaimedActivityRecordCid,
      }),
  },
]);
