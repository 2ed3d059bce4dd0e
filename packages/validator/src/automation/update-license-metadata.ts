/** Writes the validator's version and contact point into its license when they change, once an hour at most. */
import { timeFromMicros, ValidatorLicense } from "@callsign/ledger";
import { SPOKEN_VERSION } from "@callsign/node";
import { exercise } from "../ledger/commands.ts";
import { LICENSE_UPDATE_MICROSECONDS } from "../limits/limits.ts";
import { type LicensedParts, licenseTask } from "./license.ts";
import type { ValidatorAutomation } from "./validator-automation.ts";

export function updateLicenseMetadata(parts: LicensedParts, contactPoint: string): ValidatorAutomation {
  const { version } = SPOKEN_VERSION;
  return licenseTask("update-license-metadata", parts, {
    task: "metadata",
    dueAt: ({ payload: { metadata }, createdAt }) => {
      if (metadata === null) return createdAt;
      const isSame = metadata.version === version && metadata.contactPoint === contactPoint;
      return isSame ? null : timeFromMicros(metadata.lastUpdatedAt + LICENSE_UPDATE_MICROSECONDS);
    },
    command: ({ contractId }) =>
      exercise(ValidatorLicense, contractId, "ValidatorLicense_UpdateMetadata", { version, contactPoint }),
  });
}
