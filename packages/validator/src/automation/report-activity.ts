/** Reports in the license that the validator is still there, if no other use of it has shown that for an hour. */
import { timeFromMicros, ValidatorLicense } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { LICENSE_UPDATE_MICROSECONDS } from "../limits/limits.ts";
import type { ValidatorAutomation } from "./automation-names.ts";
import { type LicenseTaskParts, licenseTask } from "./license.ts";

export function reportActivity(parts: LicenseTaskParts): ValidatorAutomation {
  return {
    name: "report-activity",
    ...licenseTask(parts, {
      task: "activity",
      dueAt: ({ payload: { lastActiveAt }, createdAt }) =>
        lastActiveAt === null ? createdAt : timeFromMicros(lastActiveAt + LICENSE_UPDATE_MICROSECONDS),
      command: ({ contractId }) =>
        exercise(ValidatorLicense, contractId, "ValidatorLicense_ReportActive", {}),
    }),
  };
}
