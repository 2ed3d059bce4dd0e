/** Reports in the license that the validator is active, if no other use of the license has shown that for an hour. */
import { timeFromMicros, ValidatorLicense } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { LICENSE_UPDATE_MICROSECONDS } from "../limits/limits.ts";
import { type LicensedParts, licenseTask } from "./license.ts";
import type { ValidatorAutomation } from "./validator-automation.ts";

export function reportActivity(parts: LicensedParts): ValidatorAutomation {
  return licenseTask("report-activity", parts, {
    task: "activity",
    dueAt: ({ payload: { lastActiveAt }, createdAt }) =>
      lastActiveAt === null ? createdAt : timeFromMicros(lastActiveAt + LICENSE_UPDATE_MICROSECONDS),
    command: ({ contractId }) => exercise(ValidatorLicense, contractId, "ValidatorLicense_ReportActive", {}),
  });
}
