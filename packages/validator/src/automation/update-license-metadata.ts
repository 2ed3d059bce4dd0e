/** Writes the validator's version and contact point into its license when they change, once an hour at most. */
import { timeFromMicros, ValidatorLicense } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { LICENSE_UPDATE_MICROSECONDS } from "../limits/limits.ts";
import type { ValidatorAutomation } from "./automation-names.ts";
import { type LicenseTaskParts, licenseTask } from "./license.ts";

export interface LicenseMetadata {
  readonly version: string;
  readonly contactPoint: string;
}

export function updateLicenseMetadata(
  parts: LicenseTaskParts,
  { version, contactPoint }: LicenseMetadata,
): ValidatorAutomation {
  return {
    name: "update-license-metadata",
    ...licenseTask(parts, {
      task: "metadata",
      dueAt: ({ payload: { metadata }, createdAt }) => {
        if (metadata === null) return createdAt;
        const isSame = metadata.version === version && metadata.contactPoint === contactPoint;
        return isSame ? null : timeFromMicros(metadata.lastUpdatedAt + LICENSE_UPDATE_MICROSECONDS);
      },
      command: ({ contractId }) =>
        exercise(ValidatorLicense, contractId, "ValidatorLicense_UpdateMetadata", { version, contactPoint }),
    }),
  };
}
