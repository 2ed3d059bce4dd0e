/** Records that were granted to somebody and not minted in time; the coin is nobody's again. */
import { UnallocatedUnclaimedActivityRecord, UnclaimedActivityRecord } from "@callsign/ledger";
import { expireAtItsTime } from "../expire-at-its-time.ts";

export const expireActivityRecords = expireAtItsTime("expire-activity-records", [
  {
    template: UnclaimedActivityRecord,
    command: ({ exercise }, unclaimedActivityRecordCid) =>
      exercise("DsoRules_ExpireUnclaimedActivityRecord", { unclaimedActivityRecordCid }),
  },
  {
    template: UnallocatedUnclaimedActivityRecord,
    command: ({ exercise }, unallocatedUnclaimedActivityRecordCid) =>
      exercise("DsoRules_ExpireUnallocatedUnclaimedActivityRecord", {
        unallocatedUnclaimedActivityRecordCid,
      }),
  },
]);
